/**
 * Every key that any type of step may have (workflow language §1.6). Which of them a type takes and needs is decided by
 * `StepRules`.
 */
import { Schema } from "effect"
import { GateOptions } from "./Gate.ts"
import { closed, dictionary, open, optional, withDefault } from "./Keyed.ts"
import { OutputFields } from "./OutputField.ts"
import { Plugins } from "./Plugins.ts"
import { Questions } from "./Questions.ts"
import { Retry } from "./Retry.ts"
import { Routes } from "./Route.ts"
import { AnyValue, DurationScalar, Flag, integer, number, Text, Texts } from "./Scalars.ts"
import { Validator } from "./Validator.ts"
import { CONTEXT_TIERS, IdentifierScope, isTemplate, ProviderName, REASONING_EFFORTS, StepType } from "./Vocabulary.ts"

/** One of `words`, or a template that yields one when the step runs. */
const oneOfOrTemplate = (words: ReadonlyArray<string>) =>
  Text.pipe(
    Schema.filter((text) =>
      words.includes(text) || isTemplate(text) ? undefined : `expected one of ${words.join(", ")}, or a template`
    )
  )

const SessionKey = Schema.compose(Text, Schema.Trim).pipe(
  Schema.filter((key) => {
    if (key === "") return "expected text, got only blanks"
    return isTemplate(key) ? "a session key is literal text and cannot be a template" : undefined
  })
)

const fields = {
  name: Text,
  description: optional(Text),
  type: optional(StepType),
  provider: optional(ProviderName),
  model: optional(Text),
  context_tier: optional(oneOfOrTemplate(CONTEXT_TIERS)),
  input: withDefault(Texts, []),
  tools: optional(Texts),
  system_prompt: optional(Text),
  prompt: withDefault(Text, ""),
  output: optional(OutputFields),
  output_mode: optional(Schema.Literal("raw", "envelope")),
  routes: withDefault(Routes, []),
  options: optional(GateOptions),
  questions: optional(Questions),
  source: optional(Text),
  allow_back: optional(Flag),
  allow_skip: optional(Flag),
  allow_skip_all: optional(Flag),
  allow_abort: optional(Flag),
  abort_route: optional(Text),
  command: optional(Text),
  args: withDefault(Texts, []),
  env: withDefault(dictionary(Text), {}),
  working_dir: optional(Text),
  stdin: optional(Text),
  timeout: optional(integer({ min: 1 })),
  duration: optional(DurationScalar),
  reason: optional(Text),
  value: optional(Text),
  values: optional(dictionary(Text)),
  output_type: optional(Schema.Literal("auto", "string", "number", "integer", "boolean", "list", "dict")),
  workflow: optional(Text),
  input_mapping: optional(dictionary(Text)),
  max_depth: optional(integer({ min: 1, max: 10 })),
  timeout_seconds: optional(number({ min: 1 })),
  max_session_seconds: optional(number({ min: 1 })),
  max_agent_iterations: optional(integer({ min: 1, max: 500 })),
  session_key: optional(SessionKey),
  retry: optional(Retry),
  dialog: optional(open({ trigger_prompt: Text })),
  reasoning: optional(open({ effort: oneOfOrTemplate(REASONING_EFFORTS) })),
  validator: optional(Validator),
  sandbox: optional(closed({ identifier_scope: optional(IdentifierScope), working_dir: optional(Text) })),
  skills: optional(Texts),
  plugins: optional(Plugins),
  status: optional(Schema.Literal("success", "failed")),
  output_template: optional(dictionary(Text)),
  server: optional(Text),
  tool: optional(Text),
  arguments: optional(dictionary(AnyValue))
}

export const StepFields = closed(fields)
export type StepFields = typeof StepFields.Type
