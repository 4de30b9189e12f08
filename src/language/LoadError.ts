/** A workflow file that cannot be used, with everything that is wrong with it. Raised by the loader and by nobody else. */
import { Schema } from "effect"
import { Problem, renderProblem } from "./Problem.ts"

export class LoadError extends Schema.TaggedError<LoadError>()("LoadError", {
  /** The workflow file that was asked for, as given. */
  path: Schema.String,
  problems: Schema.NonEmptyArray(Problem)
}) {
  /** The name that the reference gives to this kind of failure in `workflow_failed` events. */
  readonly errorType = "ConfigurationError"

  override get message(): string {
    return this.problems.map((problem) => renderProblem(problem, this.path)).join("\n")
  }
}
