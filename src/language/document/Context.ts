/** `workflow.context`: what a step sees of the steps before it (workflow language §4). */
import { Schema } from "effect"
import { open, optional, withDefault } from "./Keyed.ts"
import { integer } from "./Scalars.ts"

export const ContextMode = Schema.Literal("accumulate", "last_only", "explicit")
export type ContextMode = typeof ContextMode.Type

export const Context = open({
  mode: withDefault(ContextMode, "accumulate"),
  max_tokens: optional(integer()),
  trim_strategy: optional(Schema.Literal("summarize", "truncate", "drop_oldest"))
})
export type Context = typeof Context.Type
