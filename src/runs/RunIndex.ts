/**
 * The port to the index: a projection of the logs for lists and quick answers, shared by every process on the machine. It
 * may vanish at any time and is rebuilt from the logs, so no run and no status may ever depend on it.
 */
import { Context, Schema, type Effect, type Option } from "effect"
import type { RunId } from "../domain/RunId.ts"
import type { RunStatus } from "../domain/RunStatus.ts"
import type { LogPosition } from "./EventLog.ts"
import type { RunFold } from "./RunFold.ts"
import type { RunFilter } from "./RunMonitor.ts"

/** `message` says what is wrong with the index; the caller goes on without it. */
export class RunIndexError extends Schema.TaggedError<RunIndexError>()("RunIndexError", {
  message: Schema.String
}) {}

/** What the log of a run had told up to a place in it, which is all an index knows. */
export interface IndexedRun {
  readonly fold: RunFold
  readonly end: LogPosition
  /** Why the run is lost, when it is. */
  readonly lost?: string
}

export const indexedStatus = ({ fold, lost }: IndexedRun): RunStatus => (lost === undefined ? fold.status : "lost")

export interface UnfinishedRun {
  readonly runId: RunId
  readonly end: LogPosition
}

export interface IndexPage {
  /** Newest first, without outputs. */
  readonly runs: ReadonlyArray<IndexedRun>
  readonly total: number
}

export class RunIndex extends Context.Tag("conductor/RunIndex")<
  RunIndex,
  {
    readonly get: (runId: RunId) => Effect.Effect<Option.Option<IndexedRun>, RunIndexError>
    /** Of two writers the one that has read further wins, whoever comes first. */
    readonly put: (runs: ReadonlyArray<IndexedRun>) => Effect.Effect<void, RunIndexError>
    readonly remove: (runIds: ReadonlyArray<RunId>) => Effect.Effect<void, RunIndexError>
    readonly ids: Effect.Effect<ReadonlySet<RunId>, RunIndexError>
    /** The runs whose end the index does not know, and how far it has read. */
    readonly unfinished: Effect.Effect<ReadonlyArray<UnfinishedRun>, RunIndexError>
    readonly page: (filter: RunFilter) => Effect.Effect<IndexPage, RunIndexError>
    /** The revision of the store that the index was last compared with. */
    readonly comparedWith: Effect.Effect<Option.Option<string>, RunIndexError>
    readonly setComparedWith: (revision: string) => Effect.Effect<void, RunIndexError>
    /** What had to be done to the index since the last question, for whoever reads the answers; each is told once. */
    readonly notices: Effect.Effect<ReadonlyArray<string>>
  }
>() {}
