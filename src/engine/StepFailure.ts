/**
 * How a node of the workflow's own loop tells that it failed: by `agent_failed`, whatever its kind, beside what its kind
 * tells by itself (`script_failed`) and before `workflow_failed`. Members of a group have `parallel_agent_failed` and
 * `for_each_item_failed` instead.
 */
import { Data, Effect } from "effect"
import type { Value } from "../domain/Value.ts"
import type { PlanNode } from "../language/PlanNode.ts"
import { failureOf, type EngineError } from "./EngineErrors.ts"
import { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"
import { stopwatch } from "./steps/StepRun.ts"

/** The step failed when it had a result already, which is kept. */
export class FailedWithOutput extends Data.TaggedError("FailedWithOutput")<{
  readonly error: EngineError
  readonly output: Value
}> {}

/** `elapsed`: seconds since the node started. */
export const tellFailure = (
  { append }: Journal,
  { kind, name }: PlanNode,
  error: EngineError,
  elapsed: number
): Effect.Effect<void, EventSinkError> =>
  append("agent_failed", { agent_name: name, agent_type: kind, elapsed, ...failureOf(error) })

/** Does the work of a node, and tells when it fails. */
export const tellingFailure = <A, R>(
  journal: Journal,
  node: PlanNode,
  work: Effect.Effect<A, EngineError | EventSinkError | FailedWithOutput, R>
): Effect.Effect<A, EngineError | EventSinkError, R> =>
  Effect.flatMap(stopwatch, (elapsed) =>
    Effect.catchAll(work, (failure) =>
      Effect.gen(function* () {
        if (failure instanceof EventSinkError) return yield* failure
        if (!(failure instanceof FailedWithOutput)) {
          yield* tellFailure(journal, node, failure, yield* elapsed)
          return yield* failure
        }
        const { error, output } = failure
        yield* journal.append("agent_failed", {
          agent_name: node.name,
          agent_type: node.kind,
          elapsed: yield* elapsed,
          ...failureOf(error),
          output
        })
        return yield* error
      })
    )
  )
