/** `parallel[]`: steps that run at the same time as one node. */
import { Schema } from "effect"
import { closed, optional, withDefault } from "./Keyed.ts"
import { Routes } from "./Route.ts"
import { Text, Texts } from "./Scalars.ts"
import { FailureMode } from "./Vocabulary.ts"

export const Parallel = closed({
  name: Text,
  description: optional(Text),
  agents: Texts.pipe(
    Schema.filter((agents) =>
      agents.length < 2 ? `"agents" needs at least two steps, got ${agents.length}` : undefined
    )
  ),
  failure_mode: withDefault(FailureMode, "fail_fast"),
  routes: withDefault(Routes, [])
})
export type Parallel = typeof Parallel.Type
