/**
 * The port to the event logs: append by one writer, read by anyone from where they stopped. The log is the only truth
 * about a run, so a writer never loses, reorders or renumbers an event, and a reader never changes anything.
 */
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import type { EventSink } from "../engine/EventSink.ts"
import type { RunStoreError } from "./RunErrors.ts"
import type { Slice } from "./Slices.ts"

/** A place in one log. Only the log that gave it out knows what it means; 0 is the beginning. */
export type LogPosition = number

export interface LogSlice extends Slice {
  readonly events: ReadonlyArray<RunEvent>
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
