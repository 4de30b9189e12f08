/** What an index keeps of a run, and the shape in which it keeps it. */
import { Schema } from "effect"
import { OpenGate } from "../domain/Gate.ts"
import { RunId } from "../domain/RunId.ts"
import { Provenance, WorkflowIdentity } from "./RunSpec.ts"

const StepName = Schema.NullOr(Schema.String)

/** Everything but the output, in a form that an index can keep. */
export const RunDigest = Schema.Struct({
  spec: Schema.Struct({
    run_id: RunId,
    workflow: WorkflowIdentity,
    provenance: Provenance,
    created_at: Schema.String
  }),
  status: Schema.Literal("running", "awaiting_gate", "completed", "failed", "cancelled"),
  /** `workflow.name`, once the run has said it. */
  name: Schema.optionalWith(Schema.String, { exact: true }),
  startedAt: Schema.optionalWith(Schema.String, { exact: true }),
  endedAt: Schema.optionalWith(Schema.String, { exact: true }),
  step: StepName,
  stepsCompleted: Schema.Number,
  stepsTotal: Schema.Number,
  usage: Schema.Struct({
    input_tokens: Schema.Number,
    output_tokens: Schema.Number,
    cost_usd: Schema.NullOr(Schema.Number)
  }),
  error: Schema.optionalWith(Schema.Struct({ type: Schema.String, message: Schema.String, step: StepName }), {
    exact: true
  }),
  /** In the order in which they were opened; `path` names the sub-workflow that asks. A run that is resumed asks again. */
  gates: Schema.Array(Schema.Struct({ path: Schema.Array(Schema.String), gate: OpenGate })),
  lastEvent: Schema.optionalWith(Schema.Struct({ seq: Schema.Number, type: Schema.String, at: Schema.String }), {
    exact: true
  }),
  warnings: Schema.Array(Schema.String)
})
export type RunDigest = typeof RunDigest.Type
