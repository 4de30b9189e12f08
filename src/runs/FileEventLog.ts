/** The event logs as files, `events.jsonl` in each run folder. */
import { Array, Effect, Either, Layer } from "effect"
import { join } from "node:path"
import { withFileLock } from "../platform/FileLock.ts"
import { Home } from "../platform/Home.ts"
import { writeFileAtomic } from "../platform/PrivateFiles.ts"
import { decodeEventLine, encodeEventLine } from "./EventLine.ts"
import { EventLog, type LogSlice } from "./EventLog.ts"
import { fileChanges } from "./FileChanges.ts"
import { openEventWriter } from "./FileEventWriter.ts"
import { readLines, type LineSlice } from "./LineReader.ts"
import { RunStoreError } from "./RunErrors.ts"
import { runFiles } from "./RunFiles.ts"
import { storeFault } from "./StoreFault.ts"

const decodeSlice = (path: string, { end, exhausted, lines }: LineSlice): LogSlice => {
  const [faults, events] = Array.partitionMap(lines, (line) =>
    Either.fromOption(
      decodeEventLine(line),
      () => `A line of ${path} is no event and was skipped: ${JSON.stringify(line.slice(0, 60))}`
    )
  )
  return { events, end, exhausted, faults }
}

const make = Effect.map(Home, ({ runs }) =>
  EventLog.of({
    write: (runId) => openEventWriter(runFiles(runs, runId).events),
    seed: Effect.fn("EventLog.seed")(function* (runId, events) {
      const path = runFiles(runs, runId).events
      yield* Effect.mapError(writeFileAtomic(path, events.map(encodeEventLine).join("")), storeFault)
    }),
    exclusively: (runId) => (effect) => {
      const path = join(runFiles(runs, runId).directory, "log.lock")
      return withFileLock(path)(Effect.exit(effect)).pipe(
        Effect.mapError((error) =>
          error._tag === "FileError" ? storeFault(error) : new RunStoreError({ path, message: error.message })
        ),
        Effect.flatten
      )
    },
    read: Effect.fn("EventLog.read")(function* (runId, from) {
      const path = runFiles(runs, runId).events
      return decodeSlice(path, yield* readLines(path, from))
    }),
    changes: (runId) => fileChanges(runFiles(runs, runId).events)
  })
)

export const layer: Layer.Layer<EventLog, never, Home> = Layer.effect(EventLog, make)
