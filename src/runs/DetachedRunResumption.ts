/**
 * Goes on with runs in detached processes, one for each run and never two: resuming is done under the lock of the log, once
 * the last process of the run is proven dead, and the new process claims the run before it touches it.
 */
import { Effect, Either, Layer, Option, Schedule } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import type { Home } from "../platform/Home.ts"
import { liveness } from "../platform/ProcessIdentity.ts"
import { EventLog } from "./EventLog.ts"
import { checkDirectory } from "./LaunchCheck.ts"
import { readPinnedCopy } from "./PinnedCopy.ts"
import { makeProvenStart } from "./ProvenStart.ts"
import { resumeFlags } from "./ResumeFlags.ts"
import { RunCustody } from "./RunCustody.ts"
import type { RunEntry } from "./RunEntry.ts"
import { aboutRun, ForkRefused, LaunchError, NotResumable } from "./RunErrors.ts"
import { readHistory } from "./RunHistory.ts"
import { RunMonitor } from "./RunMonitor.ts"
import { RunResumption, type ForkRequest } from "./RunResumption.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore, type RunDraft } from "./RunStore.ts"
import type { RunView } from "./RunView.ts"
import { pinsOfFiles, presentPins } from "./WorkflowPins.ts"

/** Why there is nothing to resume; none when there is. */
const obstacle = ({ error, pid, runId, status }: RunView): Option.Option<string> => {
  const fork = `'conductor runs fork ${runId} --from <step>' starts a new run from one of its steps.`
  if (!isTerminal(status)) {
    const holder = pid === undefined ? "" : `, in process ${pid}`
    return Option.some(`Run ${runId} is ${status}${holder}: it needs nobody to go on with it.`)
  }
  if (status === "completed") return Option.some(`Run ${runId} has completed: nothing of it is left to do. ${fork}`)
  // The workflow itself decided that, and would again.
  if (error?.type === "WorkflowTerminated") {
    return Option.some(`Run ${runId} was ended on purpose by its step '${error.step}': ${error.message}. ${fork}`)
  }
  return Option.none()
}

const checkResumable = (view: RunView): Effect.Effect<void, NotResumable> =>
  Option.match(obstacle(view), {
    onNone: () => Effect.void,
    onSome: (message) => Effect.fail(new NotResumable({ runId: view.runId, status: view.status, message }))
  })

/** A process that has written its last event needs a moment to end. */
const farewell = Schedule.spaced("50 millis").pipe(Schedule.upTo("10 seconds"))

const draftOfFork = (
  { run_id: _id, created_at: _created, version: _version, ...spec }: RunSpec,
  change: Pick<
    RunDraft,
    "workflow" | "forked_from" | "included_files" | "resolved_references" | "resolved_sources" | "provenance"
  >
): RunDraft => ({ ...spec, ...change })

const make = Effect.gen(function* () {
  const custody = yield* RunCustody
  const log = yield* EventLog
  const monitor = yield* RunMonitor
  const store = yield* RunStore
  const start = yield* makeProvenStart
  const records = yield* Effect.context<EventLog | RunStore>()

  const hasProcess = Effect.fnUntraced(function* ({ runId }: RunView) {
    const record = yield* store.process(runId)
    return Option.isSome(record) && (yield* liveness(record.value.process)) !== "gone"
  })

  /** A process that stays is told by the new one, which finds the run held. */
  const awaitFarewell = (view: RunView) =>
    Effect.repeat(hasProcess(view), { schedule: farewell, while: (lives) => lives })

  const goOn = Effect.fnUntraced(function* (runId: string, flags: ReadonlyArray<string>) {
    const view = yield* monitor.status(runId)
    yield* checkResumable(view)
    const spec = yield* store.spec(view.runId)
    yield* checkDirectory(spec.launch_directory)
    yield* awaitFarewell(view)
    yield* custody.reap(view.runId)
    yield* Effect.mapError(start(spec, flags), (error) => aboutRun(error, spec.run_id))
  })

  const copyRun = Effect.fnUntraced(function* (
    { from, provenance, runId }: ForkRequest,
    spec: RunSpec,
    prefix: ReadonlyArray<RunEvent>,
    history: ReadonlyArray<RunEvent>
  ) {
    const pins = presentPins(spec, history)
    const { included, workflow } = yield* readPinnedCopy(spec, pins, "Start the workflow anew.")
    const draft = draftOfFork(spec, {
      workflow: { ...spec.workflow, pin: pins.workflow },
      included_files: pinsOfFiles(included),
      resolved_references: pins.references,
      resolved_sources: pins.sources,
      forked_from: { run_id: spec.run_id, step: from },
      provenance
    })
    return yield* Effect.acquireUseRelease(
      store.create(draft, workflow.content),
      (created) =>
        store
          .pin(created.run_id, included)
          .pipe(Effect.zipRight(log.seed(created.run_id, prefix)), Effect.zipRight(start(created)), Effect.as(created)),
      (created, exit) => (exit._tag === "Success" ? Effect.void : abandon(created, prefix))
    ).pipe(Effect.catchTag("RunNotFound", ({ message }) => new LaunchError({ reason: "storage", message, runId })))
  })

  /** A fork that has written an event of its own has happened, and stays where it can be looked at. */
  const abandon = (created: RunSpec, prefix: ReadonlyArray<RunEvent>) =>
    readHistory(created.run_id).pipe(
      Effect.map((events) => events.length > prefix.length),
      Effect.orElseSucceed(() => false),
      Effect.flatMap((happened) => (happened ? Effect.void : Effect.ignore(store.remove(created.run_id)))),
      Effect.provide(records)
    )

  return RunResumption.of({
    resume: Effect.fn("RunResumption.resume")(function* (runId, options) {
      const view = yield* monitor.status(runId)
      yield* checkResumable(view)
      yield* log.exclusively(view.runId)(goOn(runId, resumeFlags(options)))
      return yield* monitor.status(runId)
    }),
    fork: Effect.fn("RunResumption.fork")(function* (request) {
      const { runId: original } = yield* monitor.status(request.runId)
      const spec = yield* store.spec(original)
      yield* checkDirectory(spec.launch_directory)
      const history = yield* readHistory(original)
      // Loaded for this alone: where a step began is the engine's knowledge, and nothing else here needs that.
      const { forkPrefix } = yield* Effect.promise(() => import("./ForkPrefix.ts"))
      const prefix = forkPrefix(history, request.from)
      if (Either.isLeft(prefix)) {
        return yield* new ForkRefused({ runId: original, step: request.from, started: prefix.left })
      }
      const created = yield* copyRun(request, spec, prefix.right, history)
      return yield* monitor.status(created.run_id)
    }, Effect.provide(records))
  })
})

export const layer: Layer.Layer<RunResumption, never, Home | RunEntry | RunStore | EventLog | RunCustody | RunMonitor> =
  Layer.effect(RunResumption, make)
