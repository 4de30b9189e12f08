/**
 * Knows whether the process that holds a run still lives, and clears up what a dead one left behind. It judges only; that
 * a run is lost is said by whoever has also looked at the end of its log.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { liveness, type ProcessIdentity } from "../platform/ProcessIdentity.ts"
import { findByRun } from "../platform/ProcessMarker.ts"
import type { RunStoreError } from "./RunErrors.ts"
import type { Custody } from "./FoldedView.ts"
import { RunStore } from "./RunStore.ts"

export interface CustodyQuestion {
  readonly run_id: RunId
  /** ISO 8601. */
  readonly created_at: string
}

export class RunCustody extends Context.Tag("conductor/RunCustody")<
  RunCustody,
  {
    /** For a run whose log has no end. `Lost` means that nobody will ever write to it again. */
    readonly judge: (run: CustodyQuestion) => Effect.Effect<Custody, RunStoreError>
    /** Kills the processes that steps of a dead run left running. The caller must know that the run is dead. */
    readonly reap: (runId: RunId) => Effect.Effect<void>
  }
>() {}

/** Milliseconds that a process has to say who it is; it needs a fraction of a second. */
const identificationGrace = 30_000

const neverStarted: Custody = { _tag: "Lost", reason: "The run was prepared, but its process never started." }

const vanished = ({ pid }: ProcessIdentity): Custody => ({
  _tag: "Lost",
  reason: `The process of the run (pid ${pid}) is gone without a word: it was killed, it crashed, or the machine was restarted.`
})

const unproven = ({ pid }: ProcessIdentity): Custody => ({
  _tag: "Held",
  pid,
  warning: `This system does not tell when process ${pid} started, so it may be another process than that of the run.`
})

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Gone meanwhile, or not ours: there is nothing left to clear up.
  }
}

/** A process that has just been found may fork before it is killed, so one more look is taken after each blow. */
const reap = (runId: RunId): Effect.Effect<void> =>
  Effect.sync(() => findByRun(runId)).pipe(
    Effect.tap((leftovers) => Effect.sync(() => leftovers.forEach(kill))),
    Effect.repeat({ times: 5, until: (leftovers) => leftovers.length === 0 }),
    Effect.asVoid
  )

const make = Effect.map(RunStore, (store) =>
  RunCustody.of({
    judge: Effect.fn("RunCustody.judge")(function* ({ created_at, run_id }): Effect.fn.Return<Custody, RunStoreError> {
      const record = yield* store.process(run_id)
      if (Option.isNone(record)) {
        const now = yield* Clock.currentTimeMillis
        return now - Date.parse(created_at) > identificationGrace ? neverStarted : { _tag: "Held" }
      }
      const identity = record.value.process
      switch (yield* liveness(identity)) {
        case "alive":
          return { _tag: "Held", pid: identity.pid }
        case "gone":
          return vanished(identity)
        case "unknown":
          return unproven(identity)
      }
    }),
    reap: Effect.fn("RunCustody.reap")(reap)
  })
)

export const layer: Layer.Layer<RunCustody, never, RunStore> = Layer.effect(RunCustody, make)

/** For runs inside this process: they end with it, so whoever can ask finds them held. */
export const layerInProcess: Layer.Layer<RunCustody> = Layer.succeed(RunCustody, {
  judge: () => Effect.succeed({ _tag: "Held" }),
  reap: () => Effect.void
})
