/** `validator` of an LLM step: a second model call that judges the output. */
import { closed, optional, withDefault } from "./Keyed.ts"
import { integer, NonBlankText, Text } from "./Scalars.ts"

export const Validator = closed({
  criteria: NonBlankText,
  model: optional(Text),
  max_retries: withDefault(integer({ min: 0, max: 1 }), 1)
})
export type Validator = typeof Validator.Type
