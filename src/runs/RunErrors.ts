/** The expected failures of run custody. */
import { Schema } from "effect"
import { nearest } from "../domain/NearMatch.ts"
import { RunStatus } from "../domain/RunStatus.ts"

export class RunNotFound extends Schema.TaggedError<RunNotFound>()("RunNotFound", { runId: Schema.String }) {
  override get message(): string {
    return `No run has the id '${this.runId}'. List the known ones with 'conductor runs list'.`
  }
}

/** The store could not be read or written. `message` says which file, why, and what to do. */
export class RunStoreError extends Schema.TaggedError<RunStoreError>()("RunStoreError", {
  path: Schema.String,
  code: Schema.optional(Schema.String),
  message: Schema.String
}) {}

/** The run asks nothing right now, or not any more what was answered. */
export class NoOpenGate extends Schema.TaggedError<NoOpenGate>()("NoOpenGate", {
  runId: Schema.String,
  status: RunStatus
}) {
  override get message(): string {
    if (this.status === "awaiting_gate") {
      return `That question of run ${this.runId} is closed: it was answered elsewhere. 'conductor gate list' shows what is asked now.`
    }
    return `Run ${this.runId} waits for no answer (${this.status}). 'conductor gate list' shows the runs that do.`
  }
}

/** The text was not passed on to the run. */
export class GuidanceRefused extends Schema.TaggedError<GuidanceRefused>()("GuidanceRefused", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/** There is nothing to go on with, or somebody goes on already. `message` says which, and what to do instead. */
export class NotResumable extends Schema.TaggedError<NotResumable>()("NotResumable", {
  runId: Schema.String,
  status: RunStatus,
  message: Schema.String
}) {}

/** The run has not started such a step, so it cannot be forked there. `started`: the steps that it has started. */
export class ForkRefused extends Schema.TaggedError<ForkRefused>()("ForkRefused", {
  runId: Schema.String,
  step: Schema.String,
  started: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const near = nearest(this.step, this.started)
    const hint = near === undefined ? "" : ` Did you mean '${near}'?`
    const list = this.started.length === 0 ? "It has started none" : `It has started: ${this.started.join(", ")}`
    return `Run ${this.runId} has not started a step '${this.step}'.${hint} ${list}.`
  }
}

/** No run was started. `logs` is the tail of what the child wrote before it died. */
export class LaunchError extends Schema.TaggedError<LaunchError>()("LaunchError", {
  reason: Schema.Literal(
    "workflow",
    "inputs",
    "unsupported",
    "drift",
    "directory",
    "environment",
    "storage",
    "limit",
    "process"
  ),
  message: Schema.String,
  runId: Schema.optional(Schema.String),
  logs: Schema.optional(Schema.String)
}) {}

/** The same error, which says which run it is about. Not by spreading it: the message of an error is not enumerable. */
export const aboutRun = ({ logs, message, reason }: LaunchError, runId: string): LaunchError =>
  new LaunchError({ reason, message, runId, ...(logs === undefined ? {} : { logs }) })
