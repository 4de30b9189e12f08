/** `workflow.hooks`: templates rendered when a run starts, completes or fails. */
import { open, optional } from "./Keyed.ts"
import { Text } from "./Scalars.ts"

export const Hooks = open({
  on_start: optional(Text),
  on_complete: optional(Text),
  on_error: optional(Text)
})
export type Hooks = typeof Hooks.Type
