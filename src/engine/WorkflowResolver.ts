/** From what a sub-workflow step names to the workflow. Where workflows are kept is the adapter's business alone. */
import { Context, Schema, type Effect } from "effect"
import type { Plan } from "../language/Plan.ts"

export interface ResolvedWorkflow {
  readonly plan: Plan
  /** Absolute paths of everything that it was read from: its own file first, then what that includes. */
  readonly files: ReadonlyArray<string>
}

/** `unsupported`: a kind of reference that the adapter does not know. Only then does it make no sense to start a run. */
export class WorkflowNotResolved extends Schema.TaggedError<WorkflowNotResolved>()("WorkflowNotResolved", {
  reference: Schema.String,
  reason: Schema.Literal("missing", "unusable", "unsupported"),
  message: Schema.String
}) {}

export class WorkflowResolver extends Context.Tag("conductor/WorkflowResolver")<
  WorkflowResolver,
  {
    /** `directory`: of the workflow that refers, absolute; absent for one that came from no file. */
    readonly resolve: (
      reference: string,
      directory: string | undefined
    ) => Effect.Effect<ResolvedWorkflow, WorkflowNotResolved>
  }
>() {}
