/** A command that ends with a message and an exit code: 1 it failed, 2 it was called wrongly, 130 it was interrupted. */
import { Schema } from "effect"

export class CliFailure extends Schema.TaggedError<CliFailure>()("CliFailure", {
  message: Schema.String,
  exitCode: Schema.Literal(1, 2, 130)
}) {}

export const failed = (message: string): CliFailure => new CliFailure({ message, exitCode: 1 })

export const misused = (message: string): CliFailure => new CliFailure({ message, exitCode: 2 })
