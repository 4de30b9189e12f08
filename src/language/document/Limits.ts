/** `workflow.limits`: when a run is stopped for going on too long or costing too much. */
import { Schema } from "effect"
import { open, optional, withDefault } from "./Keyed.ts"
import { integer, number } from "./Scalars.ts"

export const Limits = open({
  max_iterations: withDefault(integer({ min: 1, max: 500 }), 10),
  timeout_seconds: optional(integer({ min: 1 })),
  budget_usd: optional(number({ above: 0 })),
  budget_mode: withDefault(Schema.Literal("audit", "enforce"), "audit")
})
export type Limits = typeof Limits.Type
