/** What is told when a run hits its iteration limit, before anybody is asked (workflow language §5.3). */
import type { RunEventData } from "../domain/RunEvent.ts"
import type { PlanNode } from "../language/PlanNode.ts"
import type { RunRequest } from "./Engine.ts"
import type { State } from "./State.ts"

const SHOWN = 5
const LOOP = 3

/** The same node three times in a row. */
const looksLikeLoop = ({ history }: State): boolean => {
  const recent = history.last(LOOP)
  return recent.length === LOOP && new Set(recent).size === 1
}

export const limitReached = (
  state: State,
  node: PlanNode,
  gates: RunRequest["gates"]
): RunEventData["iteration_limit_reached"] => ({
  ...(node.kind === "parallel"
    ? { group_name: node.name, agent_count: node.members.length }
    : { agent_name: node.name }),
  current_iteration: state.iterations,
  max_iterations: state.maxIterations,
  agent_history: state.history.last(SHOWN),
  possible_loop: looksLikeLoop(state),
  skip_gates: gates === "skip"
})

/** Zero or less means no. */
export const limitResolved = (node: PlanNode, granted: number): RunEventData["iteration_limit_resolved"] => ({
  ...(node.kind === "parallel" ? { group_name: node.name } : { agent_name: node.name }),
  continue_execution: granted > 0,
  additional_iterations: Math.max(0, granted),
  aborted: false
})
