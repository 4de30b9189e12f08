/** `conductor_cancel_run`: ends a run, or says honestly why it did not. */
import { Effect, Schema } from "effect"
import { Boundary, type BoundaryShape } from "../../boundary/Boundary.ts"
import { type CancelOutcome, RunCancellation } from "../../runs/RunCancellation.ts"
import { toolNames } from "../definitions/ToolNames.ts"
import type { AnswerOptions } from "../RunAnswer.ts"
import { RunAnswers } from "../RunAnswers.ts"
import type { ToolCall } from "../ToolSurface.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const CancelRunArguments = Schema.Struct({ run_id: Schema.String })

const longestReason = 1_024

const outcomeFields = (
  outcome: CancelOutcome,
  boundary: BoundaryShape
): Pick<AnswerOptions, "cancellation" | "refusal"> => {
  switch (outcome._tag) {
    case "AlreadyFinished":
      return { cancellation: { outcome: "already_finished" } }
    case "Cancelled":
      return { cancellation: { outcome: "cancelled", rung: outcome.rung } }
    case "Survived":
      return {
        cancellation: { outcome: "survived" },
        refusal: { type: "CancelFailed", message: boundary.text(outcome.reason, { maxBytes: longestReason }) }
      }
  }
}

export const cancelRunHandler = Effect.fn("cancelRunHandler")(function* (call: ToolCall) {
  const boundary = yield* Boundary
  const answers = yield* RunAnswers
  const cancellation = yield* RunCancellation
  const { run_id } = yield* decodeToolArguments(toolNames.cancel, CancelRunArguments, call.arguments)
  const requestedBy = call.client === undefined ? "mcp" : `mcp ${call.client.name}`
  const outcome = yield* cancellation.cancel(run_id, requestedBy)
  return answers.of(outcome.view, outcomeFields(outcome, boundary))
})
