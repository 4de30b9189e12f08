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

interface TellingFailure {
  readonly error: EngineError
  /** Seconds since the node started. */
  readonly elapsed: number
  /** What the node had stored by then. */
  readonly output?: Value
}

export const tellFailure = (
  { append }: Journal,
  { kind, name }: PlanNode,
  { error, ...rest }: TellingFailure
): Effect.Effect<void, EventSinkError> =>
  append("agent_failed", { agent_name: name, agent_type: kind, ...failureOf(error), ...rest })

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
        const told =
          failure instanceof FailedWithOutput ? { error: failure.error, output: failure.output } : { error: failure }
        yield* tellFailure(journal, node, { ...told, elapsed: yield* elapsed })
        return yield* told.error
      })
    )
  )
