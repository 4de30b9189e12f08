/** How the state changes with what a group and its members report. */
import type { RunEvent } from "../domain/RunEvent.ts"
import type { Value } from "../domain/Value.ts"
import { startedGroup, withResult, type MemberFailure, type MemberResult } from "./GroupState.ts"
import { finished, withoutChild, withSpending, type State } from "./State.ts"

/** `slot`: that of the member's sub-workflow, if it is one. */
const memberFinished = (state: State, index: number, result: MemberResult, slot?: string): State => {
  if (state.phase._tag !== "InGroup") return state
  const left = slot === undefined ? state : withoutChild(state, slot)
  return { ...left, phase: { ...state.phase, group: withResult(state.phase.group, index, result) } }
}

const groupStarted = (state: State, node: string, size: number, at: number): State => ({
  ...state,
  phase: { _tag: "InGroup", node, group: startedGroup(size, at) }
})

/** A group that failed has no output, and has still to end the run. */
const groupFinished = (state: State, node: string, output: Value | undefined): State =>
  output === undefined || state.phase._tag !== "InGroup" ? state : finished(state, node, output, state.phase.group.size)

const failureIn = ({ error_type, message, suggestion }: MemberFailure): MemberFailure => ({
  error_type,
  message,
  suggestion
})

/** Events of another kind leave the state as it is. */
export const evolveGroup = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "parallel_started":
      return groupStarted(state, event.data.group_name, event.data.agents.length, event.timestamp)
    case "for_each_started":
      return groupStarted(state, event.data.group_name, event.data.item_count, event.timestamp)
    case "parallel_agent_completed": {
      const { agent_name: key, cost_usd: cost, index, output } = event.data
      return memberFinished(withSpending(state, cost), index, { _tag: "Succeeded", key, output })
    }
    case "parallel_agent_failed": {
      const { agent_name: key, index } = event.data
      return memberFinished(state, index, { _tag: "Failed", key, failure: failureIn(event.data) })
    }
    case "for_each_item_completed": {
      const { cost_usd: cost, index, item_key: key, output, slot_key: slot } = event.data
      return memberFinished(withSpending(state, cost), index, { _tag: "Succeeded", key, output }, slot)
    }
    case "for_each_item_failed": {
      const { index, item_key: key, slot_key: slot } = event.data
      return memberFinished(state, index, { _tag: "Failed", key, failure: failureIn(event.data) }, slot)
    }
    case "parallel_completed":
    case "for_each_completed":
      return groupFinished(state, event.data.group_name, event.data.output)
    case "for_each_skipped":
      return { ...finished(state, event.data.group_name, event.data.output, 0), skips: state.skips + 1 }
    default:
      return state
  }
}
