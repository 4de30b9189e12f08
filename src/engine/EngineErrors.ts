/**
 * Why a run failed, as values. Each kind has the name that the reference gives to it in `workflow_failed` events, so that
 * logs and hooks read alike; a message names the step, the reason and, where there is one, the remedy.
 */
import { Schema } from "effect"
import type { ConditionError } from "../language/Condition.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import type { ProviderError } from "../agents/AgentProvider.ts"
import { dollars } from "../domain/Dollars.ts"
import type { Failure } from "../domain/events/EventParts.ts"
import { EventSinkError } from "./EventSink.ts"
import { isMap, type Value, type ValueMap } from "../domain/Value.ts"

const fields = { message: Schema.String }

/** A step could not do its work: a command that is missing, a value that cannot be read, a node that does not exist. */
export class ExecutionError extends Schema.TaggedError<ExecutionError>()("ExecutionError", fields) {}

/** A value does not have the shape or range that the workflow declares. */
export class ValidationError extends Schema.TaggedError<ValidationError>()("ValidationError", fields) {}

/** An `input:` reference names something that is not there. */
export class KeyError extends Schema.TaggedError<KeyError>()("KeyError", fields) {}

/** A file or variable that a prompt needs while it is rendered is not usable. */
export class ConfigurationError extends Schema.TaggedError<ConfigurationError>()("ConfigurationError", fields) {}

/** No route of a node matches. */
export class ValueError extends Schema.TaggedError<ValueError>()("ValueError", fields) {}

/** Nobody could answer a gate or a question. */
export class HumanGateError extends Schema.TaggedError<HumanGateError>()("HumanGateError", fields) {}

export class MaxIterationsError extends Schema.TaggedError<MaxIterationsError>()("MaxIterationsError", {
  limit: Schema.Int,
  step: Schema.String
}) {
  override get message(): string {
    return (
      `The run reached its limit of ${this.limit} iterations before step '${this.step}'. ` +
      "Raise workflow.limits.max_iterations, or check the routes for a loop that never ends."
    )
  }
}

/** US dollars. */
export class BudgetExceededError extends Schema.TaggedError<BudgetExceededError>()("BudgetExceededError", {
  budget: Schema.Number,
  spent: Schema.Number,
  step: Schema.String
}) {
  override get message(): string {
    return (
      `The workflow has spent ${dollars(this.spent)} of its budget of ${dollars(this.budget)} ` +
      `after step '${this.step}'. Raise workflow.limits.budget_usd, or set budget_mode to audit.`
    )
  }
}

const timeout = { elapsed: Schema.Number, limit: Schema.Number, step: Schema.NullOr(Schema.String) }

/** The whole run took longer than `workflow.limits.timeout_seconds`. Seconds. */
export class TimeoutError extends Schema.TaggedError<TimeoutError>()("TimeoutError", timeout) {
  override get message(): string {
    return (
      `Workflow exceeded timeout (${this.limit}s)${this.step === null ? "" : ` in step '${this.step}'`}. ` +
      "Raise workflow.limits.timeout_seconds if the work needs longer."
    )
  }
}

/** One LLM step took longer than its own `timeout_seconds`. Seconds. */
export class AgentTimeoutError extends Schema.TaggedError<AgentTimeoutError>()("AgentTimeoutError", timeout) {
  override get message(): string {
    return (
      `Agent '${this.step}' exceeded its timeout (${this.limit}s). ` +
      "Raise timeout_seconds of the step if the model needs longer."
    )
  }
}

const Output = Schema.declare((input: unknown): input is ValueMap => isMap(input as Value))

/** A `terminate` step with `status: failed` ended the run: the workflow itself said so, with an output of its own. */
export class WorkflowTerminated extends Schema.TaggedError<WorkflowTerminated>()("WorkflowTerminated", {
  reason: Schema.String,
  step: Schema.String,
  output: Output
}) {
  override get message(): string {
    return this.reason
  }
}

/** The sub-workflow of a step ended itself with `terminate` and `status: failed`. For the parent it is a failed step. */
export class SubworkflowTerminatedError extends Schema.TaggedError<SubworkflowTerminatedError>()(
  "SubworkflowTerminatedError",
  { workflow: Schema.String, reason: Schema.String, terminatedBy: Schema.String, output: Output }
) {
  override get message(): string {
    return `Sub-workflow '${this.workflow}' ended itself as failed in step '${this.terminatedBy}': ${this.reason}`
  }
}

/** The sub-workflow of a step failed: with the name and the words of what failed in it. Times are seconds. */
export class SubworkflowFailed extends Schema.TaggedError<SubworkflowFailed>()("SubworkflowFailed", {
  errorType: Schema.String,
  message: Schema.String,
  timeout: Schema.optional(Schema.Struct(timeout))
}) {}

export type EngineError =
  | ExecutionError
  | ValidationError
  | KeyError
  | ValueError
  | ConfigurationError
  | HumanGateError
  | MaxIterationsError
  | BudgetExceededError
  | TimeoutError
  | AgentTimeoutError
  | WorkflowTerminated
  | SubworkflowTerminatedError
  | SubworkflowFailed
  | ProviderError
  | TemplateError
  | ConditionError

const errorTypeOf = (error: EngineError): string => {
  switch (error._tag) {
    // The reference has no class of its own for a faulty condition.
    case "ConditionError":
      return "ValueError"
    case "SubworkflowFailed":
      return error.errorType
    default:
      return error._tag
  }
}

/** The tags are the reference's class names, but for the exceptions above. */
export const failureOf = (error: EngineError): Failure => ({ error_type: errorTypeOf(error), message: error.message })

/** What the message proposes, by itself, where the error knows it. */
export const suggestionOf = (error: EngineError): string | null =>
  error._tag === "TemplateError" && error.suggestion !== undefined ? `Did you mean '${error.suggestion}'?` : null

export const isEngineError = (error: EngineError | EventSinkError): error is EngineError =>
  !(error instanceof EventSinkError)
