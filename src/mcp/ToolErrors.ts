/** What a caller can do wrong, besides what the catalogue and the runs refuse themselves. */
import { Schema } from "effect"

export class InvalidArguments extends Schema.TaggedError<InvalidArguments>()("InvalidArguments", {
  tool: Schema.String,
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `The arguments do not fit ${this.tool}: ${this.problems.join("; ")}.`
  }
}

export class UnknownWorkflow extends Schema.TaggedError<UnknownWorkflow>()("UnknownWorkflow", {
  name: Schema.String,
  near: Schema.optional(Schema.String)
}) {
  override get message(): string {
    const hint = this.near === undefined ? "" : ` Did you mean '${this.near}'?`
    return `No workflow is served under the name '${this.name}'.${hint}`
  }
}

export class TooManyRuns extends Schema.TaggedError<TooManyRuns>()("TooManyRuns", {
  limit: Schema.Int,
  alive: Schema.Int
}) {
  override get message(): string {
    return `No run was started: ${this.alive} runs are alive, and this server starts none beyond ${this.limit} (--max-concurrent-runs).`
  }
}

/** The call took longer than any call may, so that a host always gets an answer. */
export class CallTimeout extends Schema.TaggedError<CallTimeout>()("CallTimeout", {
  tool: Schema.String,
  seconds: Schema.Number
}) {
  override get message(): string {
    return `${this.tool} gave no answer within ${this.seconds} seconds.`
  }
}
