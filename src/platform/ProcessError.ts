/** A command that could not be run to its end. A command that ran and exited, with whatever code, is not an error. */
import { Schema } from "effect"

export class ProcessError extends Schema.TaggedError<ProcessError>()("ProcessError", {
  /** `timeout`: it was started and its processes are gone again. */
  reason: Schema.Literal("not-found", "failed-to-start", "timeout"),
  command: Schema.String,
  message: Schema.String
}) {}

export const commandNotFound = (command: string, path: string | undefined): ProcessError => {
  const searched = command.includes("/")
    ? "there is no such file"
    : `it is not on the PATH of the command (${path ?? "PATH is not set"})`
  return new ProcessError({ reason: "not-found", command, message: `command not found: ${command}; ${searched}` })
}

export const failedToStart = (command: string, why: string): ProcessError =>
  new ProcessError({ reason: "failed-to-start", command, message: `${command} failed to start: ${why}` })

export const timedOut = (command: string, seconds: number): ProcessError =>
  new ProcessError({ reason: "timeout", command, message: `timed out after ${seconds}s and was stopped` })
