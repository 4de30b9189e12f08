/** What an event says of a step that ended, or of something that should not go by unseen. Pure. */
import { dollars } from "../../domain/Dollars.ts"
import type { Failure } from "../../domain/events/EventParts.ts"
import type { RunEvent } from "../../domain/RunEvent.ts"
import { elapsedText } from "../runs/RunReport.ts"
import { placeOf } from "./Activity.ts"

export interface Ended {
  readonly outcome: "done" | "failed" | "noted"
  /** Of the step, below the sub-workflows on the way to it. */
  readonly name: string
  readonly type: string
  /** Seconds. */
  readonly elapsed?: number
  readonly details: string
}

const cost = (usd: number | null): string => (usd === null ? "" : `, ${dollars(usd)}`)

export const tally = (succeeded: number, failed: number, size: number): string =>
  `${succeeded + failed}/${size}${failed === 0 ? "" : `, ${failed} failed`}`

const because = ({ error_type, message }: Failure): string => `${error_type}: ${message}`

/** Of the steps that report by events of their own kind; groups and their members follow below. */
const stepEnded = (event: RunEvent): Ended | undefined => {
  switch (event.type) {
    case "agent_completed": {
      const { agent_name, agent_type = "agent", cost_usd, elapsed, tokens } = event.data
      const spent = `${tokens} tokens${cost(cost_usd)}`
      return { outcome: "done", name: agent_name, type: agent_type, elapsed, details: tokens > 0 ? spent : "" }
    }
    case "script_completed": {
      const { agent_name, elapsed, exit_code } = event.data
      // It may well be what the routes ask for, so it is no failure yet.
      const [outcome, details] =
        exit_code === 0 ? (["done", ""] as const) : (["noted", `exit code ${exit_code}`] as const)
      return { outcome, name: agent_name, type: "script", elapsed, details }
    }
    case "set_completed": {
      const { agent_name, elapsed, value_repr } = event.data
      return { outcome: "done", name: agent_name, type: "set", elapsed, details: value_repr }
    }
    case "wait_completed": {
      const { agent_name, elapsed, reason } = event.data
      return { outcome: "done", name: agent_name, type: "wait", elapsed, details: reason ?? "" }
    }
    case "mcp_completed": {
      const { agent_name, elapsed, is_error } = event.data
      const [outcome, details] = is_error ? (["noted", "the tool reports an error"] as const) : (["done", ""] as const)
      return { outcome, name: agent_name, type: "mcp", elapsed, details }
    }
    case "subworkflow_completed": {
      const { agent_name, elapsed } = event.data
      return { outcome: "done", name: agent_name, type: "workflow", elapsed, details: "" }
    }
    case "questions_completed": {
      const { agent_name, answered_count, outcome, skipped_count } = event.data
      const details = `${outcome.replaceAll("_", " ")}: ${answered_count} answered, ${skipped_count} skipped`
      return { outcome: "done", name: agent_name, type: "questions", details }
    }
    case "gate_resolved": {
      const { additional_input, agent_name, selected_option, step_type } = event.data
      // The prompts of a step that asks several times are not its end.
      if (step_type !== undefined) return undefined
      const texts = Object.entries(additional_input).map(([field, text]) => `, ${field}: ${text}`)
      return {
        outcome: "done",
        name: agent_name,
        type: "human_gate",
        details: [selected_option, ...texts].join("")
      }
    }
    // Steps of every kind end with it when they fail, after an event of their own kind.
    case "agent_failed": {
      const { agent_name: name, agent_type: type, elapsed } = event.data
      return { outcome: "failed", name, type, elapsed, details: because(event.data) }
    }
    default:
      return undefined
  }
}

const groupEnded = (event: RunEvent): Ended | undefined => {
  switch (event.type) {
    case "parallel_completed":
    case "for_each_completed": {
      const { elapsed, failure_count: failed, group_name, success_count: succeeded } = event.data
      const outcome = failed > 0 && succeeded === 0 ? "failed" : "done"
      const details = tally(succeeded, failed, succeeded + failed)
      const type = event.type === "parallel_completed" ? "parallel" : "for_each"
      return { outcome, name: group_name, type, elapsed, details }
    }
    case "for_each_skipped":
      return { outcome: "done", name: event.data.group_name, type: "for_each", details: "nothing to do" }
    case "parallel_agent_failed": {
      const { agent_name, elapsed, group_name } = event.data
      const name = `${group_name}/${agent_name}`
      return { outcome: "failed", name, type: "member", elapsed, details: because(event.data) }
    }
    case "for_each_item_failed": {
      const { elapsed, group_name, item_key } = event.data
      const name = `${group_name}[${item_key}]`
      return { outcome: "failed", name, type: "item", elapsed, details: because(event.data) }
    }
    default:
      return undefined
  }
}

const noted = (name: string, type: string, details: string): Ended => ({ outcome: "noted", name, type, details })

/** What did not end a step and should not go by unseen. */
const notice = (event: RunEvent): Ended | undefined => {
  switch (event.type) {
    case "agent_retry": {
      const { agent_name, attempt, delay, error, max_attempts } = event.data
      const wait = elapsedText(delay * 1000)
      return noted(agent_name, "retry", `attempt ${attempt} of ${max_attempts} failed, again in ${wait}: ${error}`)
    }
    case "agent_timeout":
      return noted(event.data.agent_name, "timeout", `after ${event.data.timeout_seconds} s`)
    case "agent_validation_failed": {
      const { agent_name, issues, will_retry } = event.data
      return noted(agent_name, "validator", `${will_retry ? "asks again: " : ""}${issues.join("; ")}`)
    }
    case "questions_answer_rejected": {
      const { agent_name, question_id, reason } = event.data
      return noted(agent_name, "questions", `${question_id}: ${reason}`)
    }
    case "budget_exceeded": {
      const { budget_usd, current_agent, spent_usd } = event.data
      return noted(current_agent, "budget", `${dollars(spent_usd)} spent of ${dollars(budget_usd)}`)
    }
    case "guidance_applied":
      return noted(event.data.agent_name, "guidance", event.data.text)
    case "run_warning":
      return noted("warning", "", event.data.warning)
    default:
      return undefined
  }
}

/** A group may have thousands of items; its own line counts them. */
const isItem = (slot: string): boolean => slot.endsWith("]")

/** Nothing for an event that nobody waits for. Texts are as the run said them. */
export const endedStep = (event: RunEvent): Ended | undefined => {
  const { group_name: group, subworkflow_path: path = [] } = event.data
  const ended = groupEnded(event) ?? notice(event) ?? (group === undefined ? stepEnded(event) : undefined)
  if (ended === undefined || (ended.outcome === "done" && path.some(isItem))) return undefined
  return { ...ended, name: placeOf({ path, name: ended.name }) }
}
