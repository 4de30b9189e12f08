/**
 * Ends a run by the mildest means that work: its inbox, then TERM, then KILL. No signal goes to a process that is not
 * proven to be that of the run, and the log is written here only when its own writer is proven dead.
 */
import { Clock, Effect, Layer, Option, Stream, type Duration } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import { signal } from "../platform/ProcessGroup.ts"
import { liveness, type ProcessIdentity } from "../platform/ProcessIdentity.ts"
import { EventLog } from "./EventLog.ts"
import { RunCancellation, type CancelOutcome } from "./RunCancellation.ts"
import { RunCustody } from "./RunCustody.ts"
import { RunInbox } from "./RunInbox.ts"
import { RunStoreError } from "./RunErrors.ts"
import { RunMonitor } from "./RunMonitor.ts"
import { RunStore } from "./RunStore.ts"
import type { RunView } from "./RunView.ts"

type Rung = Extract<CancelOutcome, { readonly _tag: "Cancelled" }>["rung"]

/** Scripts get five seconds from TERM to KILL, for which a run that was asked to end waits itself. */
const patience: Readonly<Record<Rung, Duration.DurationInput>> = {
  inbox: "6 seconds",
  terminate: "7 seconds",
  kill: "3 seconds"
}

const survived = (view: RunView, reason: string): CancelOutcome => ({ _tag: "Survived", reason, view })

const make = Effect.gen(function* () {
  const custody = yield* RunCustody
  const inbox = yield* RunInbox
  const log = yield* EventLog
  const monitor = yield* RunMonitor
  const store = yield* RunStore

  /** The last word of a run whose process died before it could say it. */
  const writeCancelled = Effect.fnUntraced(function* (view: RunView, reason: string) {
    const now = yield* Clock.currentTimeMillis
    const writer = yield* log.write(view.runId)
    yield* writer
      .append("workflow_cancelled", {
        elapsed: Math.max(0, now - Date.parse(view.startedAt)) / 1000,
        reason,
        agent_name: view.progress.step
      })
      .pipe(Effect.mapError(({ message }) => new RunStoreError({ path: view.files.events, message })))
  }, Effect.scoped)

  /** The run is over, whether its log can be told so or not: then it stays lost, and this answer says why. */
  const untold =
    (dead: RunView) =>
    ({ message }: RunStoreError): Effect.Effect<RunView> =>
      Effect.succeed({
        ...dead,
        warnings: [
          ...dead.warnings,
          `The run was ended, but its log could not be told and it counts as lost. ${message}`
        ]
      })

  const conclude = Effect.fnUntraced(function* (dead: RunView, rung: Rung, requestedBy: string) {
    yield* custody.reap(dead.runId)
    const view = yield* log
      .exclusively(dead.runId)(
        Effect.gen(function* () {
          const before = yield* monitor.status(dead.runId)
          // Somebody else may have ended the log since.
          if (before.status !== "lost") return before
          yield* writeCancelled(
            before,
            `Cancelled by ${requestedBy}; the process of the run was ended by a signal (${rung}).`
          )
          return yield* monitor.status(dead.runId)
        })
      )
      .pipe(Effect.catchTag("RunStoreError", untold(dead)))
    return { _tag: "Cancelled", rung, view } satisfies CancelOutcome
  })

  /** The view of the run once it is over; none when it still is not after the patience of the rung. */
  const awaitEnd = (runId: RunId, rung: Rung) =>
    monitor.watch(runId).pipe(Stream.runLast, Effect.timeoutOption(patience[rung]), Effect.map(Option.flatten))

  const outcomeOf = (view: RunView, rung: Rung, requestedBy: string) => {
    if (view.status === "lost" && rung !== "inbox") return conclude(view, rung, requestedBy)
    return Effect.succeed<CancelOutcome>(
      view.status === "cancelled" ? { _tag: "Cancelled", rung, view } : { _tag: "AlreadyFinished", view }
    )
  }

  /** A full disk must not protect a run: what cannot be written is said with a signal. */
  const ask = (runId: RunId, requestedBy: string) =>
    Effect.matchEffect(inbox.post(runId, { type: "cancel", requested_by: requestedBy }), {
      onFailure: () => Effect.succeedNone,
      onSuccess: () => awaitEnd(runId, "inbox")
    })

  /** The steps of the run are in groups of their own; what a killed run leaves of them is reaped after it. */
  const strike = ({ pid }: ProcessIdentity, rung: "terminate" | "kill") =>
    Effect.sync(() => signal(pid, rung === "terminate" ? "SIGTERM" : "SIGKILL"))

  /** Signals the process, if it is proven to be the run's, and waits; none when the run is still not over. */
  const climb = Effect.fnUntraced(function* (view: RunView, rung: "terminate" | "kill", requestedBy: string) {
    const record = yield* store.process(view.runId)
    if (Option.isNone(record))
      return Option.some(survived(view, "the run has not said yet which process it is; ask again"))
    const { process } = record.value
    const state = yield* liveness(process)
    if (state === "unknown") {
      return Option.some(
        survived(view, `process ${process.pid} cannot be proven to be that of the run, so it got no signal`)
      )
    }
    if (state === "alive") yield* strike(process, rung)
    const end = yield* awaitEnd(view.runId, rung)
    return yield* Effect.transposeMapOption(end, (over) => outcomeOf(over, rung, requestedBy))
  })

  return RunCancellation.of({
    cancel: Effect.fn("RunCancellation.cancel")(function* (runId, requestedBy) {
      const view = yield* monitor.status(runId)
      if (isTerminal(view.status)) return { _tag: "AlreadyFinished", view }
      const obeyed = yield* ask(view.runId, requestedBy)
      if (Option.isSome(obeyed)) return yield* outcomeOf(obeyed.value, "inbox", requestedBy)
      const terminated = yield* climb(view, "terminate", requestedBy)
      if (Option.isSome(terminated)) return terminated.value
      const killed = yield* climb(view, "kill", requestedBy)
      if (Option.isSome(killed)) return killed.value
      return survived(yield* monitor.status(runId), "the process is still there after a KILL signal")
    })
  })
})

export const layer: Layer.Layer<RunCancellation, never, EventLog | RunCustody | RunInbox | RunMonitor | RunStore> =
  Layer.effect(RunCancellation, make)
