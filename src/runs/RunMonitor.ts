/** The port that watches runs: whoever asks, from whatever process, gets the same answer. It never re-reads a log. */
import { Context, type Effect, type Stream } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { RunStatus } from "../domain/RunStatus.ts"
import type { RunNotFound, RunStoreError } from "./RunErrors.ts"
import type { RunView } from "./RunView.ts"

export interface RunFilter {
  readonly status?: RunStatus
  /** Matches the workflow's name, its key, or the tool that started the run. */
  readonly workflow?: string
  readonly limit: number
  readonly offset: number
}

/** Newest first, without outputs, which `status` gives. `total` counts all matches, so a caller knows what it has not seen. */
export interface RunPage {
  readonly runs: ReadonlyArray<RunView>
  readonly total: number
  /** What could not be read, or what the index had to be rebuilt for. */
  readonly warnings: ReadonlyArray<string>
}

export class RunMonitor extends Context.Tag("conductor/RunMonitor")<
  RunMonitor,
  {
    readonly status: (runId: string) => Effect.Effect<RunView, RunNotFound | RunStoreError>
    /** The current view, then each changed one; ends after a view that is terminal. */
    readonly watch: (runId: string) => Stream.Stream<RunView, RunNotFound | RunStoreError>
    /** The events from `fromSeq` (1 = all), then new ones as they come; ends after the terminal event or a loss. */
    readonly events: (runId: string, fromSeq: number) => Stream.Stream<RunEvent, RunNotFound | RunStoreError>
    readonly list: (filter: RunFilter) => Effect.Effect<RunPage, RunStoreError>
  }
>() {}
