/**
 * The present knowledge of one run: the fold over its log, read on from wherever this process or the index had stopped,
 * and the verdict on its process. It never reads the same part of a log twice as long as it remembers the run.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { EventLog, type LogSlice } from "./EventLog.ts"
import { RunCustody } from "./RunCustody.ts"
import type { RunNotFound, RunStoreError } from "./RunErrors.ts"
import { toView, type Custody } from "./FoldedView.ts"
import { advance, emptyFold, isOpen, withWarning } from "./RunFold.ts"
import type { IndexedRun } from "./RunIndex.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"
import type { RunView } from "./RunView.ts"
import { foldSlices } from "./Slices.ts"

export interface Projected {
  readonly indexed: IndexedRun
  readonly view: RunView
}

type Known = IndexedRun

export class RunProjection extends Context.Tag("conductor/RunProjection")<
  RunProjection,
  {
    /** `recall` is asked only for a long log of a run that this process does not remember. */
    readonly project: <E>(
      runId: RunId,
      recall: Effect.Effect<Option.Option<IndexedRun>, E>
    ) => Effect.Effect<Projected, RunNotFound | RunStoreError | E>
    /** The view of what an index told, without a look at the run. */
    readonly viewOf: (run: IndexedRun) => RunView
  }
>() {}

/** Runs that are remembered. A fold holds the output of its run, so the number is small. */
const memorySize = 64

/** A loss stands as long as nothing new is in the log: a process that is gone does not come back. */
const advanceBy = (known: Known, slice: LogSlice): Known =>
  slice.end === known.end
    ? known
    : {
        fold: slice.faults.reduce(withWarning, slice.events.reduce(advance, known.fold)),
        end: slice.end
      }

const held: Custody = { _tag: "Held" }

const lostFor = (reason: string): Custody => ({ _tag: "Lost", reason })

const make = Effect.gen(function* () {
  const store = yield* RunStore
  const log = yield* EventLog
  const custody = yield* RunCustody
  /** In the order of their last use. */
  const remembered = new Map<RunId, Known>()

  const remember = (runId: RunId, known: Known): Known => {
    remembered.delete(runId)
    remembered.set(runId, known)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= memorySize) break
      remembered.delete(oldest)
    }
    return known
  }

  const readOn = (runId: RunId, known: Known) =>
    Effect.map(
      foldSlices((from) => log.read(runId, from), known.end, known, advanceBy),
      (present) => remember(runId, present)
    )

  /** Asking an index costs more than reading a short log, so only the place in a long one is worth it. */
  const lookAt = Effect.fnUntraced(function* <E>(runId: RunId, recall: Effect.Effect<Option.Option<IndexedRun>, E>) {
    const before = remembered.get(runId)
    const [spec, slice] = yield* Effect.zip(store.spec(runId), log.read(runId, before?.end ?? 0), { concurrent: true })
    const known = advanceBy(before ?? { fold: emptyFold(spec), end: 0 }, slice)
    if (slice.exhausted) return { spec, present: remember(runId, known) }
    const place = before === undefined ? Option.getOrElse(yield* recall, () => known) : known
    return { spec, present: yield* readOn(runId, place) }
  })

  /** The last event and the end of the process are moments apart, so the log is read once more before a run is lost. */
  const judge = Effect.fnUntraced(function* (spec: RunSpec, known: Known) {
    if (!isOpen(known.fold)) return { known, verdict: held }
    if (known.lost !== undefined) return { known, verdict: lostFor(known.lost) }
    const verdict = yield* custody.judge(spec)
    if (verdict._tag === "Held") return { known, verdict }
    const present = yield* readOn(spec.run_id, known)
    if (!isOpen(present.fold)) return { known: present, verdict: held }
    yield* custody.reap(spec.run_id)
    return { known: remember(spec.run_id, { ...present, lost: verdict.reason }), verdict }
  })

  const filesOf = (runId: RunId): RunView["files"] => {
    const { events, stderr, stdout } = store.files(runId)
    return { events, stderr, stdout }
  }

  return RunProjection.of({
    project: Effect.fn("RunProjection.project")(function* (runId, recall) {
      const { present, spec } = yield* lookAt(runId, recall)
      const { known, verdict } = yield* judge(spec, present)
      return {
        indexed: known,
        view: toView(known.fold, verdict, filesOf(runId))
      }
    }),
    viewOf: ({ fold, lost }) => toView(fold, lost === undefined ? held : lostFor(lost), filesOf(fold.spec.run_id))
  })
})

export const layer: Layer.Layer<RunProjection, never, RunStore | EventLog | RunCustody> = Layer.effect(
  RunProjection,
  make
)
