/**
 * One run from its first event to its last: the refusal before it, the time limit around it, and exactly one terminal
 * event behind it, whether it completed, failed or was interrupted.
 */
import { Cause, Duration, Effect, Layer, Option } from "effect"
import { isNonEmptyReadonlyArray } from "effect/Array"
import { AgentProviders } from "../agents/AgentProvider.ts"
import { Engine, UnsupportedWorkflow, type RunOutcome, type RunRequest } from "./Engine.ts"
import { ExecutionError, failureOf, TimeoutError, type EngineError } from "./EngineErrors.ts"
import { EventSink, EventSinkError } from "./EventSink.ts"
import { failedEvent } from "./FailedEvent.ts"
import { runHook } from "./Hooks.ts"
import { withDefaults } from "./InputDefaults.ts"
import { interpret, type RunInProgress, type StepServices } from "./Interpreter.ts"
import { makeJournal } from "./Journal.ts"
import { refusals } from "./Refusal.ts"
import { startedEvent } from "./StartedEvent.ts"
import { currentNode, evolve, initialState, type State } from "./State.ts"

const refuse = Effect.fn("Engine.refuse")(function* ({ plan, provider }: RunRequest) {
  const { available } = yield* AgentProviders
  const steps = refusals(plan, available, provider)
  if (isNonEmptyReadonlyArray(steps)) return yield* new UnsupportedWorkflow({ workflow: plan.name, steps })
})

const isEnded = ({ phase }: State): boolean => phase._tag === "Ended"

const hasStarted = ({ phase }: State): boolean => phase._tag !== "NotStarted"

const outOfTime = Effect.fn("Engine.outOfTime")(function* ({ journal }: RunInProgress, limit: number) {
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

const reportFailure = Effect.fn("Engine.reportFailure")(function* (run: RunInProgress, error: EngineError) {
  const { journal, request } = run
  const state = yield* journal.state
  // A time limit may fire while the last event is being written.
  if (isEnded(state)) return
  yield* journal.append("workflow_failed", failedEvent(error, currentNode(state), yield* journal.elapsed))
  const { error_type: type, message } = failureOf(error)
  yield* runHook(request.plan, "on_error", state, { error: { type, message } })
})

/** Nobody is left to be told when even this cannot be written, so it is told to the process's own log. */
const reportCancellation = Effect.fn("Engine.reportCancellation")(function* ({ journal }: RunInProgress) {
  const state = yield* journal.state
  if (isEnded(state) || !hasStarted(state)) return
  const elapsed = yield* journal.elapsed
  yield* journal.append("workflow_cancelled", { elapsed, reason: "cancelled", agent_name: currentNode(state) })
})

const outcomeOf = ({ phase }: State): Option.Option<RunOutcome> => {
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

const drive = Effect.fn("Engine.drive")(function* (run: RunInProgress) {
  const { journal, request } = run
  const initial = yield* journal.state
  const resumed = hasStarted(initial)
  const inputs = withDefaults(request.plan.inputs, resumed ? initial.inputs : request.inputs)
  if (!resumed) yield* runHook(request.plan, "on_start", { ...initial, inputs })
  yield* journal.append("workflow_started", startedEvent(request, inputs))
  yield* interpret(run)
  const state = yield* journal.state
  if (state.phase._tag === "Ended" && state.phase.ending._tag === "Completed") {
    yield* runHook(request.plan, "on_complete", state, { result: state.phase.ending.output })
  }
})

const isEngineError = (error: EngineError | EventSinkError): error is EngineError => !(error instanceof EventSinkError)

const run = Effect.fn("Engine.run")(function* (request: RunRequest) {
  yield* refuse(request)
  const { history = [], plan } = request
  const { limits } = plan
  const begun = history.reduce(evolve, initialState(limits.max_iterations))
  const journal = yield* makeJournal(yield* EventSink, begun)
  const remaining = Effect.map(journal.elapsed, (elapsed) => (limits.timeout_seconds ?? Infinity) - elapsed)
  const inProgress: RunInProgress = { request, journal, remaining }
  yield* withinLimit(drive(inProgress), inProgress).pipe(
    Effect.catchAllDefect((defect) => Effect.fail(asFailure(defect))),
    Effect.catchIf(isEngineError, (error) => reportFailure(inProgress, error)),
    Effect.onInterrupt(() => Effect.catchAll(reportCancellation(inProgress), Effect.logError))
  )
  const outcome = outcomeOf(yield* journal.state)
  return yield* Option.match(outcome, { onNone: () => Effect.interrupt, onSome: Effect.succeed })
})

/** One engine writes to one sink, and so serves one run. */
export const EngineLive: Layer.Layer<Engine, never, EventSink | StepServices> = Layer.effect(
  Engine,
  Effect.map(Effect.context<EventSink | StepServices>(), (context) => ({
    run: (request) => Effect.provide(run(request), context)
  }))
)
