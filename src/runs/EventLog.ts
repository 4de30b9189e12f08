/**
 * The port to the event logs: append by one writer, read by anyone from where they stopped. The log is the only truth
 * about a run, so a writer never loses, reorders or renumbers an event, and a reader never changes anything.
 */
import { Context, Effect, Option, Stream, type Scope } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import type { EventSink } from "../engine/EventSink.ts"
import type { RunStoreError } from "./RunErrors.ts"

/** A place in one log. Only the log that gave it out knows what it means; 0 is the beginning. */
export type LogPosition = number

export interface LogSlice {
  readonly events: ReadonlyArray<RunEvent>
  readonly end: LogPosition
  /** False when there is more to read at once. */
  readonly exhausted: boolean
  /** Lines that are no events, in words. They are skipped. */
  readonly faults: ReadonlyArray<string>
}

export interface EventWriter {
  readonly append: Context.Tag.Service<typeof EventSink>["append"]
  /** Ends when everything that was appended is on disk. */
  readonly settled: Effect.Effect<void>
}

export class EventLog extends Context.Tag("conductor/EventLog")<
  EventLog,
  {
    /**
     * Takes the pen of a run. The caller must know that nobody else holds it: the process of the run does, and after
     * its proven death whoever ends the run. Closing the scope waits until everything is on disk.
     */
    readonly write: (runId: RunId) => Effect.Effect<EventWriter, RunStoreError, Scope.Scope>
    /** Gives a run that has no log yet a copy of the first events of another one, with their numbers and times. */
    readonly seed: (runId: RunId, events: ReadonlyArray<RunEvent>) => Effect.Effect<void, RunStoreError>
    /** Lets one at a time, of all processes, do something to the log of a dead run. */
    readonly exclusively: (
      runId: RunId
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RunStoreError, R>
    /** A run without a log, or without a run, has no events. */
    readonly read: (runId: RunId, from: LogPosition) => Effect.Effect<LogSlice, RunStoreError>
    /** One tick at once, then one whenever there may be something new to read. */
    readonly changes: (runId: RunId) => Stream.Stream<void>
  }
>() {}

/** Every slice from `from` to the present end of the log, oldest first; at least one, which may be empty. */
export const readToEnd = (
  log: Context.Tag.Service<typeof EventLog>,
  runId: RunId,
  from: LogPosition
): Stream.Stream<LogSlice, RunStoreError> =>
  Stream.paginateEffect(from, (position) =>
    Effect.map(log.read(runId, position), (slice) => [slice, slice.exhausted ? Option.none() : Option.some(slice.end)])
  )
