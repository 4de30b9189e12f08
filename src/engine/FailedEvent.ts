/** The last event of a run that failed: the error's name and words, and what else its kind has to tell. */
import type { RunEventData } from "../domain/RunEvent.ts"
import { failureOf, type EngineError, type TimeoutError } from "./EngineErrors.ts"

type Failed = RunEventData["workflow_failed"]

const timesOf = ({ elapsed, limit, step }: Pick<TimeoutError, "elapsed" | "limit" | "step">): Partial<Failed> => ({
  elapsed_seconds: elapsed,
  timeout_seconds: limit,
  ...(step === null ? {} : { current_agent: step })
})

const detailsOf = (error: EngineError): Partial<Failed> => {
  switch (error._tag) {
    case "TimeoutError":
    case "AgentTimeoutError":
      return timesOf(error)
    case "BudgetExceededError":
      return { budget_usd: error.budget, spent_usd: error.spent, current_agent: error.step }
    case "SubworkflowFailed":
      return error.timeout === undefined ? {} : timesOf(error.timeout)
    case "WorkflowTerminated": {
      const { output, reason, step } = error
      const told = { termination_reason: reason, terminated_by: step, is_explicit: true, status: "failed" } as const
      return { ...told, output }
    }
    default:
      return {}
  }
}

/** `elapsed`: seconds since the run began. */
export const failedEvent = (error: EngineError, node: string | null, elapsed: number): Failed => ({
  ...failureOf(error),
  ...detailsOf(error),
  elapsed,
  agent_name: node
})
