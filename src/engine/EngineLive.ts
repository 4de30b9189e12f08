/**
 * One run: the refusal before it, and exactly one terminal event behind it, whether it completed, failed or was
 * interrupted.
 */
import { Effect, Layer, Option } from "effect"
import { isNonEmptyReadonlyArray } from "effect/Array"
import { AgentProviders } from "../agents/AgentProvider.ts"
import { assetRefusals } from "./AssetObstacles.ts"
import { Engine, UnsupportedWorkflow, type RunRequest } from "./Engine.ts"
import { EventSink } from "./EventSink.ts"
import { withDefaults } from "./InputDefaults.ts"
import { makeJournal } from "./Journal.ts"
import { refusals } from "./Refusal.ts"
import { makeOpenSessions } from "./OpenSessions.ts"
import type { RunInProgress, StepServices } from "./RunInProgress.ts"
import { startedEvent } from "./StartedEvent.ts"
import { evolve } from "./Evolve.ts"
import { currentNode, hasStarted, initialState } from "./State.ts"
import { subWorkflows } from "./SubWorkflows.ts"
import { isEnded, outcomeOf, runWorkflow } from "./WorkflowRun.ts"

const refuse = Effect.fn("Engine.refuse")(function* ({ plan, provider }: RunRequest) {
  const { available } = yield* AgentProviders
  const { workflows } = yield* subWorkflows(plan)
  const steps = [
    ...refusals(plan, workflows, available, provider),
    ...(yield* assetRefusals(plan, workflows, provider))
  ]
  if (isNonEmptyReadonlyArray(steps)) return yield* new UnsupportedWorkflow({ workflow: plan.name, steps })
})

/** Nobody is left to be told when even this cannot be written, so it is told to the process's own log. */
const reportCancellation = Effect.fn("Engine.reportCancellation")(function* ({ journal }: RunInProgress) {
  const state = yield* journal.state
  if (isEnded(state) || !hasStarted(state)) return
  const elapsed = yield* journal.elapsed
  yield* journal.append("workflow_cancelled", { elapsed, reason: "cancelled", agent_name: currentNode(state) })
})

/** Says in the log that the run goes on. Sub-workflows go on without a word of their own. */
const startAgain = Effect.fn("Engine.startAgain")(function* ({ journal, request }: RunInProgress) {
  const state = yield* journal.state
  if (!hasStarted(state)) return
  const inputs = withDefaults(request.plan.inputs, state.inputs)
  const started = yield* startedEvent(request, inputs)
  const { groups } = request
  yield* journal.append("workflow_started", groups === "restart" ? { ...started, groups } : started)
})

const run = Effect.fn("Engine.run")(function* (request: RunRequest) {
  yield* refuse(request)
  const { history = [], plan } = request
  const { limits } = plan
  const begun = history.reduce(evolve, initialState(limits.max_iterations))
  const journal = yield* makeJournal(yield* EventSink, begun)
  const remaining = Effect.map(journal.elapsed, (elapsed) => (limits.timeout_seconds ?? Infinity) - elapsed)
  const openSessions = yield* makeOpenSessions
  const inProgress: RunInProgress = { runId: request.runId, request, journal, openSessions, remaining, path: [] }
  yield* Effect.onInterrupt(Effect.zipRight(startAgain(inProgress), runWorkflow(inProgress)), () =>
    Effect.catchAll(reportCancellation(inProgress), Effect.logError)
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
