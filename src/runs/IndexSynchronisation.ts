/**
 * Brings an index up to what the store and the logs say: runs that came, runs that went, runs that were not over when it
 * last looked. The store is only listed when it has changed.
 */
import { Array, Effect, Option } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import type { LogPosition } from "./EventLog.ts"
import type { RunStoreError } from "./RunErrors.ts"
import { indexedStatus, type IndexedRun, type RunIndex, type RunIndexError } from "./RunIndex.ts"
import { RunProjection } from "./RunProjection.ts"
import { RunStore } from "./RunStore.ts"

type Index = RunIndex["Type"]

/** A run to look at, and how far the index has read it: not at all, or up to `end`. */
interface Candidate {
  readonly runId: RunId
  readonly end?: LogPosition
}

type Finding =
  | { readonly _tag: "Advanced"; readonly run: IndexedRun }
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Gone"; readonly runId: RunId }
  | { readonly _tag: "Unreadable"; readonly warning: string }

/** Runs that are put into the index together. */
const batchSize = 200

/** Logs that are read at the same time. */
const readers = 8

const pick = <T extends Finding["_tag"]>(findings: ReadonlyArray<Finding>, tag: T) =>
  findings.filter((finding): finding is Extract<Finding, { _tag: T }> => finding._tag === tag)

/** Answers with what could not be read. */
type Synchronise = (index: Index) => Effect.Effect<ReadonlyArray<string>, RunIndexError | RunStoreError>

export const makeSynchronise = Effect.gen(function* () {
  const store = yield* RunStore
  const projection = yield* RunProjection

  /** A run that cannot be read must not hide the others; one that is gone or half made is none. */
  const lookAt =
    (index: Index) =>
    ({ end, runId }: Candidate) =>
      projection.project(runId, index.get(runId)).pipe(
        Effect.map(({ indexed }): Finding =>
          indexed.end === end && !isTerminal(indexedStatus(indexed))
            ? { _tag: "Unchanged" }
            : { _tag: "Advanced", run: indexed }
        ),
        Effect.catchTags({
          RunNotFound: () => Effect.succeed<Finding>({ _tag: "Gone", runId }),
          RunStoreError: ({ message }) => Effect.succeed<Finding>({ _tag: "Unreadable", warning: message })
        })
      )

  const record = (index: Index, findings: ReadonlyArray<Finding>) =>
    index
      .put(pick(findings, "Advanced").map(({ run }) => run))
      .pipe(
        Effect.zipRight(index.remove(pick(findings, "Gone").map(({ runId }) => runId))),
        Effect.as(pick(findings, "Unreadable").map(({ warning }) => warning))
      )

  const refresh = (index: Index, candidates: ReadonlyArray<Candidate>) =>
    Effect.map(
      Effect.forEach(Array.chunksOf(candidates, batchSize), (batch) =>
        Effect.flatMap(Effect.forEach(batch, lookAt(index), { concurrency: readers }), (findings) =>
          record(index, findings)
        )
      ),
      Array.flatten
    )

  const synchronise: Synchronise = Effect.fn("IndexSynchronisation")(function* (index) {
    const revision = yield* store.revision
    const compared = yield* index.comparedWith
    const unfinished = yield* index.unfinished
    if (Option.isSome(revision) && Option.contains(compared, revision.value)) return yield* refresh(index, unfinished)
    const present = new Set(yield* store.ids)
    const known = yield* index.ids
    yield* index.remove([...known].filter((runId) => !present.has(runId)))
    const fresh = [...present].filter((runId) => !known.has(runId)).map((runId): Candidate => ({ runId }))
    const warnings = yield* refresh(index, [...fresh, ...unfinished.filter(({ runId }) => present.has(runId))])
    if (Option.isSome(revision)) yield* index.setComparedWith(revision.value)
    return warnings
  })
  return synchronise
})
