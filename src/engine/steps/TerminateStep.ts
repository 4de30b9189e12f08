/** Ends the run on purpose, with success or failure and an output of its own (workflow language §5.18). */
import { Effect, Either } from "effect"
import type { ValueMap } from "../../domain/Value.ts"
import type { TerminateNode } from "../../language/PlanNode.ts"
import type { TemplateError } from "../../language/template/TemplateError.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import type { EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { FailedWithOutput } from "../StepFailure.ts"
import { stopwatch, type StepRun } from "./StepRun.ts"

/** `outputWith` renders the run's output as it will be once this step's own output is stored. */
export const runTerminateStep = (
  { context, journal, step }: StepRun<TerminateNode>,
  outputWith: (stored: ValueMap) => Either.Either<ValueMap, TemplateError>
): Effect.Effect<void, EngineError | EventSinkError | FailedWithOutput> =>
  Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const reason = yield* renderTemplate(step.reason, context)
    const { status } = step
    const stored = { status, reason, terminated_by: step.name }
    const base = { agent_name: step.name, agent_type: "terminate", elapsed: yield* elapsed, output: stored }
    const output = outputWith(stored)
    if (Either.isLeft(output)) return yield* new FailedWithOutput({ error: output.left, output: stored })
    const termination = { termination_reason: reason, terminated_by: step.name, is_explicit: true, status } as const
    if (status === "failed") {
      const failure = { error_type: "WorkflowTerminated", message: reason }
      return yield* journal.append("agent_failed", { ...base, ...failure, ...termination })
    }
    const usage = { model: null, tokens: 0, input_tokens: 0, output_tokens: 0, cost_usd: null }
    const output_keys = Object.keys(stored)
    yield* journal.append("agent_completed", { ...base, ...usage, output_keys, ...termination })
  })
