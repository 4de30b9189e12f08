/** The whole log of a run, for whoever goes on from it. */
import { Effect } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import { EventLog } from "./EventLog.ts"
import { RunStoreError } from "./RunErrors.ts"
import { RunStore } from "./RunStore.ts"
import { foldSlices } from "./Slices.ts"

const EMPTY: ReadonlyArray<ReadonlyArray<RunEvent>> = []

/** A state that is folded from a log with a hole would be wrong, so such a log is an error here. */
export const readHistory = Effect.fn("RunHistory.read")(function* (
  runId: RunId
): Effect.fn.Return<ReadonlyArray<RunEvent>, RunStoreError, EventLog | RunStore> {
  const log = yield* EventLog
  const path = (yield* RunStore).files(runId).events
  const slices = yield* foldSlices(
    (from) => log.read(runId, from),
    0,
    EMPTY,
    (read, { events }) => [...read, events]
  )
  const events = slices.flat()
  const hole = events.findIndex(({ seq }, index) => seq !== index + 1)
  if (hole === -1) return events
  return yield* new RunStoreError({
    path,
    message: `The log ${path} is damaged: event ${hole + 1} is missing, so nothing can go on from it. Start the workflow anew.`
  })
})
