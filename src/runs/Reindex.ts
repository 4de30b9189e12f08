/** Forgets what the index knows and reads all logs again. No run is touched by it. */
import { Effect } from "effect"
import { RunIndex } from "./RunIndex.ts"
import { RunMonitor } from "./RunMonitor.ts"

interface ReindexReport {
  readonly runs: number
  readonly warnings: ReadonlyArray<string>
}

/** An index that cannot be read is put aside and made anew by the first question to it. */
export const reindex = Effect.fn("Reindex")(function* () {
  const index = yield* RunIndex
  const monitor = yield* RunMonitor
  const known = yield* Effect.orElseSucceed(index.ids, () => new Set<never>())
  yield* index.remove([...known])
  yield* index.setComparedWith("")
  const { total, warnings } = yield* monitor.list({ limit: 1, offset: 0 })
  return { runs: total, warnings } satisfies ReindexReport
})
