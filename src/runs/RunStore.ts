/**
 * The port to the run folders: what a run was asked to do, which process holds it, and the pinned copy of what it runs.
 * What happened in a run is not here: that is the event log.
 */
import { Context, type Effect, type Option } from "effect"
import type { RunId } from "../domain/RunId.ts"
import type { RunNotFound, RunStoreError } from "./RunErrors.ts"
import type { ProcessRecord } from "./ProcessRecord.ts"
import type { RunFiles } from "./RunFiles.ts"
import type { RunSpec } from "./RunSpec.ts"

/** A run that has no name yet. */
export type RunDraft = Omit<RunSpec, "version" | "run_id" | "created_at">

/** A file that belongs to a run besides the workflow file itself. `path` is absolute. */
export interface PinnedFile {
  readonly path: string
  readonly content: Uint8Array
}

export class RunStore extends Context.Tag("conductor/RunStore")<
  RunStore,
  {
    /**
     * Gives the run a name of its own and keeps `workflow`, the bytes of its workflow file. Nobody sees the run before it
     * is complete, and a failure or interruption leaves nothing behind.
     */
    readonly create: (draft: RunDraft, workflow: Uint8Array) => Effect.Effect<RunSpec, RunStoreError>
    /** Keeps copies of the files that the workflow includes, at the same places relative to it. */
    readonly pin: (runId: RunId, files: ReadonlyArray<PinnedFile>) => Effect.Effect<void, RunNotFound | RunStoreError>
    /** The bytes of a copy, by the absolute path of its original; none when there is no such copy. */
    readonly pinned: (
      runId: RunId,
      path: string
    ) => Effect.Effect<Option.Option<Uint8Array>, RunNotFound | RunStoreError>
    readonly spec: (runId: RunId) => Effect.Effect<RunSpec, RunNotFound | RunStoreError>
    readonly recordProcess: (runId: RunId, record: ProcessRecord) => Effect.Effect<void, RunStoreError>
    readonly process: (runId: RunId) => Effect.Effect<Option.Option<ProcessRecord>, RunStoreError>
    /** Every name that may be a run, in no order; `spec` knows whether it is one. */
    readonly ids: Effect.Effect<ReadonlyArray<RunId>, RunStoreError>
    /** Changes when a run comes or goes. None while a change may still hide behind the clock's resolution. */
    readonly revision: Effect.Effect<Option.Option<string>, RunStoreError>
    /** Removing a run that is gone is fine. The caller must know that no process holds it. */
    readonly remove: (runId: RunId) => Effect.Effect<void, RunStoreError>
    /** Removes what crashes left half made or half removed at least an hour ago. */
    readonly sweep: Effect.Effect<void, RunStoreError>
    readonly files: (runId: RunId) => RunFiles
  }
>() {}
