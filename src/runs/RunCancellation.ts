/** The port that ends runs and says honestly what it took. */
import { Context, type Effect } from "effect"
import type { RunNotFound, RunStoreError } from "./RunErrors.ts"
import type { RunView } from "./RunView.ts"

export type CancelOutcome =
  | { readonly _tag: "AlreadyFinished"; readonly view: RunView }
  /** `inbox`: the run ended itself when asked. `terminate`, `kill`: it took that signal. */
  | { readonly _tag: "Cancelled"; readonly rung: "inbox" | "terminate" | "kill"; readonly view: RunView }
  /** The process is still there after the last rung, or its identity could not be proven, so it was not signalled. */
  | { readonly _tag: "Survived"; readonly reason: string; readonly view: RunView }

export class RunCancellation extends Context.Tag("conductor/RunCancellation")<
  RunCancellation,
  {
    readonly cancel: (runId: string, requestedBy: string) => Effect.Effect<CancelOutcome, RunNotFound | RunStoreError>
  }
>() {}
