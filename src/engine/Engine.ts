/**
 * Runs a plan to its end. The engine is a loop over two pure functions, `decide` and `evolve`: commands go out, the
 * events that come back are appended and folded. It knows nothing of processes, folders, hosts or protocols.
 */
import { Context, Schema, type Effect } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { ResumedGroups } from "./ResumedState.ts"

export interface RunRequest {
  readonly runId: string
  readonly plan: Plan
  /** As given by the caller; defaults and zero values are filled in by the engine (workflow language §4.4). */
  readonly inputs: ValueMap
  /** Merged over `workflow.metadata`. */
  readonly metadata: ValueMap
  /** Replaces the workflow's own choice of provider, like `--provider` of the reference. */
  readonly provider?: string
  /** `skip`: nobody is asked, gates take their first option and questions their defaults. */
  readonly gates?: "ask" | "skip"
  /** Where the host keeps the events, for `workflow_started`. */
  readonly logFile?: string
  /** The text of the workflow file, for `workflow_started`. */
  readonly source?: string
  /** What the host wants to be told in `workflow_started`: process id, working directory and the like. */
  readonly system?: ValueMap
  /**
   * What the log of the run holds already, oldest first: the run goes on from there instead of beginning. What finished is
   * not repeated, the step that was cut off or failed runs again, iterations and granted limits are kept, and the time
   * limit counts from now. The first event is then a second `workflow_started`, as the reference writes it.
   */
  readonly history?: ReadonlyArray<RunEvent>
  /**
   * What becomes of a group in which the history ends. `continue`, which is what is left out: members that have finished are
   * not repeated. `restart`: all of them run again, as in the reference.
   */
  readonly groups?: ResumedGroups
}

export type RunOutcome =
  | { readonly _tag: "Completed"; readonly output: ValueMap }
  | {
      readonly _tag: "Failed"
      readonly errorType: string
      readonly message: string
      readonly step: string | null
      /** Present when a `terminate` step ended the run: what the workflow wanted to say. */
      readonly output?: ValueMap
    }

/** The plan uses what this engine cannot run. Nothing was started and no event was written. */
export class UnsupportedWorkflow extends Schema.TaggedError<UnsupportedWorkflow>()("UnsupportedWorkflow", {
  workflow: Schema.String,
  steps: Schema.NonEmptyArray(Schema.Struct({ step: Schema.String, reason: Schema.String }))
}) {
  override get message(): string {
    const lines = this.steps.map(({ step, reason }) => `  ${step}: ${reason}`)
    return `Workflow '${this.workflow}' cannot be run here:\n${lines.join("\n")}`
  }
}

/**
 * A failed workflow is an outcome, not an error. Interrupting `run` cancels the run: scopes close, process groups die,
 * and `workflow_cancelled` is appended before the interruption completes.
 */
export class Engine extends Context.Tag("conductor/Engine")<
  Engine,
  {
    readonly run: (request: RunRequest) => Effect.Effect<RunOutcome, UnsupportedWorkflow | EventSinkError>
  }
>() {}
