/** `retry` of an LLM step: how failed calls to the provider are repeated. */
import { Schema } from "effect"
import { list, open, optional, withDefault } from "./Keyed.ts"
import { integer, number } from "./Scalars.ts"

const RetryCause = Schema.Literal("provider_error", "timeout")

export const Retry = open({
  max_attempts: withDefault(integer({ min: 1, max: 10 }), 1),
  backoff: withDefault(Schema.Literal("fixed", "exponential"), "exponential"),
  delay_seconds: withDefault(number({ min: 0, max: 300 }), 2),
  retry_on: withDefault(list(RetryCause), ["provider_error", "timeout"]),
  max_parse_recovery_attempts: optional(integer({ min: 0, max: 10 }))
})
export type Retry = typeof Retry.Type
