/** `for_each[]`: one inline step that runs once for every item of a list. */
import { Schema } from "effect"
import { closed, optional, withDefault } from "./Keyed.ts"
import { Routes } from "./Route.ts"
import { integer, Text } from "./Scalars.ts"
import { sourceProblem } from "./Source.ts"
import { Step } from "./Step.ts"
import { FailureMode, IDENTIFIER } from "./Vocabulary.ts"

const RESERVED = new Set(["workflow", "context", "output", "_index", "_key"])

const LoopVariable = Text.pipe(
  Schema.filter((name) => {
    if (!IDENTIFIER.test(name)) return `"${name}" cannot be a variable: use letters, digits and "_"`
    return RESERVED.has(name) ? `"${name}" is reserved, choose another variable` : undefined
  })
)

export const ForEach = closed({
  name: Text,
  type: Schema.Literal("for_each"),
  description: optional(Text),
  source: Text.pipe(Schema.filter(sourceProblem)),
  as: LoopVariable,
  agent: Step,
  max_concurrent: withDefault(integer({ min: 1, max: 100 }), 10),
  failure_mode: withDefault(FailureMode, "fail_fast"),
  key_by: optional(Text),
  routes: withDefault(Routes, [])
})
export type ForEach = typeof ForEach.Type
