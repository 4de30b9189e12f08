/** The port that goes on with runs that have stopped: the same run again, or a new one from a point of its past. */
import { Context, type Effect } from "effect"
import type { ResumedGroups } from "../engine/ResumedState.ts"
import type { ForkRefused, LaunchError, NotResumable, RunNotFound, RunStoreError } from "./RunErrors.ts"
import type { Provenance } from "./RunSpec.ts"
import type { RunView } from "./RunView.ts"

export interface ResumeOptions {
  /** Go on with the workflow file as it is now, and pin that, instead of the copy that the run keeps. */
  readonly acceptChange: boolean
  /** What becomes of a group that was cut off or failed: `restart` repeats the members that have finished, too. */
  readonly groups: ResumedGroups
}

export interface ForkRequest {
  readonly runId: string
  /** The step that the new run begins with; what finished before its latest start is taken over. */
  readonly from: string
  readonly provenance: Provenance
}

export class RunResumption extends Context.Tag("conductor/RunResumption")<
  RunResumption,
  {
    /**
     * Ends when the second `workflow_started` is on disk. Of several who resume a run at once, one does; the others are
     * told that it goes on. A failure leaves the run as it was.
     */
    readonly resume: (
      runId: string,
      options: ResumeOptions
    ) => Effect.Effect<RunView, LaunchError | NotResumable | RunNotFound | RunStoreError>
    /** The other run may be in any state and is not touched. */
    readonly fork: (
      request: ForkRequest
    ) => Effect.Effect<RunView, ForkRefused | LaunchError | RunNotFound | RunStoreError>
  }
>() {}
