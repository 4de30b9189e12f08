/**
 * One workflow from its first event to its last, the root of a run and a sub-workflow alike: hooks, the time limit around
 * it, and a failure that is told before it is passed on. It goes on from wherever its journal stands.
 */
import { Cause, Duration, Effect, Option } from "effect"
import { ExecutionError, failureOf, isEngineError, TimeoutError, type EngineError } from "./EngineErrors.ts"
import type { RunOutcome } from "./Engine.ts"
import type { EventSinkError } from "./EventSink.ts"
import { failedEvent } from "./FailedEvent.ts"
import { runHook } from "./Hooks.ts"
import { withDefaults } from "./InputDefaults.ts"
import { interpret } from "./Interpreter.ts"
import type { RunInProgress, StepServices } from "./RunInProgress.ts"
import { startedEvent } from "./StartedEvent.ts"
import { currentNode, hasStarted, type State } from "./State.ts"

export const isEnded = ({ phase }: State): boolean => phase._tag === "Ended"

const outOfTime = Effect.fn("WorkflowRun.outOfTime")(function* ({ journal }: RunInProgress, limit: number) {
  const state = yield* journal.state
  return yield* new TimeoutError({ elapsed: yield* journal.elapsed, limit, step: currentNode(state) })
})

/** The limit ends whatever is going on, and waits until it has ended. */
const withinLimit = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  run: RunInProgress
): Effect.Effect<A, E | TimeoutError, R> => {
  const limit = run.request.plan.limits.timeout_seconds
  if (limit === undefined) return work
  return Effect.flatMap(
    Effect.timeoutOption(work, Duration.seconds(limit)),
    Option.match({ onNone: () => outOfTime(run, limit), onSome: Effect.succeed })
  )
}

/** A bug of ours still ends the run with a reason; only its process could not say one. */
const asFailure = (defect: unknown): ExecutionError =>
  new ExecutionError({ message: `Internal error: ${Cause.pretty(Cause.die(defect))}` })

const reportFailure = Effect.fn("WorkflowRun.reportFailure")(function* (run: RunInProgress, error: EngineError) {
  const { journal, request } = run
  const state = yield* journal.state
  // A time limit may fire while the last event is being written.
  if (isEnded(state)) return
  yield* journal.append("workflow_failed", failedEvent(error, currentNode(state), yield* journal.elapsed))
  const { error_type: type, message } = failureOf(error)
  yield* runHook(request.plan, "on_error", state, { error: { type, message } })
})

const begin = Effect.fn("WorkflowRun.begin")(function* ({ journal, request }: RunInProgress) {
  const initial = yield* journal.state
  if (hasStarted(initial)) return
  const inputs = withDefaults(request.plan.inputs, request.inputs)
  yield* runHook(request.plan, "on_start", { ...initial, inputs })
  yield* journal.append("workflow_started", yield* startedEvent(request, inputs))
})

const drive = Effect.fn("WorkflowRun.drive")(function* (run: RunInProgress) {
  const { journal, request } = run
  yield* begin(run)
  yield* interpret(run, runWorkflow)
  const state = yield* journal.state
  if (state.phase._tag === "Ended" && state.phase.ending._tag === "Completed") {
    yield* runHook(request.plan, "on_complete", state, { result: state.phase.ending.output })
  }
})

/** A workflow that fails has said so in its journal, and is no failure here; the outcome is read from the state. */
export const runWorkflow = (run: RunInProgress): Effect.Effect<void, EventSinkError, StepServices> =>
  withinLimit(drive(run), run).pipe(
    Effect.catchAllDefect((defect) => Effect.fail(asFailure(defect))),
    Effect.catchIf(isEngineError, (error) => reportFailure(run, error))
  )

export const outcomeOf = ({ phase }: State): Option.Option<RunOutcome> => {
  if (phase._tag !== "Ended") return Option.none()
  switch (phase.ending._tag) {
    case "Completed":
      return Option.some({ _tag: "Completed", output: phase.ending.output })
    case "Failed": {
      const { agent_name: step, error_type: errorType, message, output } = phase.ending.event
      return Option.some({ _tag: "Failed", errorType, message, step, ...(output === undefined ? {} : { output }) })
    }
    case "Cancelled":
      return Option.none()
  }
}
