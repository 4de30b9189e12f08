/**
 * The state of a run as a fold over its events. `evolve` is the only way the state changes, alive and on resume alike,
 * so it must never need anything that is not in the event log. A sub-workflow is folded by the same function from the
 * events that carry its path.
 */
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import type { Value } from "../domain/Value.ts"
import { evolveDialog } from "./EvolveDialog.ts"
import { evolveGroup } from "./EvolveGroup.ts"
import { evolvePrompt } from "./EvolvePrompt.ts"
import { routed, running, waiting, type Ending, type Phase } from "./Phase.ts"
import { resumed } from "./ResumedState.ts"
import { sharedOf, withShared } from "./SharedState.ts"
import {
  currentNode,
  finished,
  hasStarted,
  initialState,
  withChild,
  withoutChild,
  withOutput,
  withSpending,
  type State
} from "./State.ts"

/** A `terminate` step reports as an agent does; its termination fields tell the two apart. */
const terminated = (
  state: State,
  data: RunEventData["agent_completed"] | RunEventData["agent_failed"]
): State | undefined => {
  const { agent_name: node, output, status, termination_reason: reason } = data
  if (output === undefined || status === undefined || reason === undefined) return undefined
  const phase: Phase = { _tag: "Terminated", node, termination: { step: node, status, reason } }
  return { ...withOutput(state, node, output), phase }
}

/** What a step had stored before it failed is kept; the step itself has still to end the run, or to run again. */
const failedWith = (state: State, node: string, output: Value | undefined): State =>
  output === undefined ? state : withOutput(state, node, output)

const ended = (state: State, ending: Ending): State => ({
  ...state,
  phase: { _tag: "Ended", node: currentNode(state), ending, before: state.phase }
})

const trimmed = (state: State, { dropped, outputs }: RunEventData["context_trimmed"]): State => {
  const left = new Map(state.outputs)
  for (const node of dropped) left.delete(node)
  for (const [node, output] of Object.entries(outputs)) left.set(node, output)
  const phase: Phase = state.phase._tag === "Ready" ? { ...state.phase, trimmed: true } : state.phase
  return { ...state, outputs: left, phase }
}

type LimitEvent = RunEventData["iteration_limit_reached"] | RunEventData["iteration_limit_resolved"]

const limitedNode = (data: LimitEvent): string => ("agent_name" in data ? data.agent_name : data.group_name)

/** Whether a step reports as the member of a group, which reports itself for its members. */
const isOfMember = ({ data }: RunEvent): boolean => data.group_name !== undefined

/** The second start in a log is that of a run that is resumed: it is at what it was at, and not at its entry. */
const started = (state: State, data: RunEventData["workflow_started"]): State => {
  const { entry_point: node, groups = "continue", inputs, max_iterations: limit } = data
  const begun: State = hasStarted(state) ? resumed(state, groups) : { ...state, phase: { _tag: "Ready", node } }
  return { ...begun, inputs, maxIterations: limit + state.granted }
}

/** What happened in the workflow that the state is of, and not in one below it. */
const evolveOwn = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "workflow_started":
      return started(state, event.data)
    case "agent_started":
      return { ...state, phase: running(state.phase, event.data.agent_name) }
    case "wait_started":
      return { ...state, phase: waiting(state.phase, event.timestamp) }
    case "wait_failed":
      return { ...state, phase: { _tag: "Running", node: event.data.agent_name } }
    case "script_completed":
    case "wait_completed":
      return finished(state, event.data.agent_name, event.data.output)
    case "set_completed":
    case "mcp_completed":
      return isOfMember(event) ? state : finished(state, event.data.agent_name, event.data.output)
    case "subworkflow_started":
      return withChild(state, event.data.slot_key, { ...initialState(0), ...sharedOf(state) })
    case "subworkflow_completed": {
      const { agent_name: node, output, slot_key: slot } = event.data
      const paid = withSpending(state, state.children.get(slot)?.spent ?? 0)
      return isOfMember(event) ? paid : finished(withoutChild(paid, slot), node, output)
    }
    case "agent_completed": {
      const paid = withSpending(state, event.data.cost_usd)
      return terminated(paid, event.data) ?? finished(paid, event.data.agent_name, event.data.output)
    }
    case "agent_failed":
      return terminated(state, event.data) ?? failedWith(state, event.data.agent_name, event.data.output)
    case "route_taken": {
      const { from_agent: from, output: overrides, to_agent: to } = event.data
      return { ...state, phase: routed(from, to, overrides) }
    }
    case "iteration_limit_reached":
      return { ...state, phase: { _tag: "AtLimit", node: limitedNode(event.data) } }
    case "iteration_limit_resolved": {
      const { additional_iterations: additional, continue_execution: goOn } = event.data
      const phase: Phase = { _tag: goOn ? "Ready" : "Refused", node: limitedNode(event.data) }
      return {
        ...state,
        maxIterations: state.maxIterations + additional,
        granted: state.granted + additional,
        phase
      }
    }
    case "agent_validator_complete":
    case "agent_output_discarded":
      return withSpending(state, event.data.cost_usd)
    case "guidance_applied":
      return { ...state, guidance: [...state.guidance, event.data.text] }
    case "context_trimmed":
      return trimmed(state, event.data)
    case "budget_exceeded":
      return { ...state, budgetTold: event.data.spent_usd }
    case "workflow_completed":
      return ended(state, { _tag: "Completed", output: event.data.output })
    case "workflow_failed":
      return ended(state, { _tag: "Failed", event: event.data })
    case "workflow_cancelled":
      return ended(state, { _tag: "Cancelled" })
    default:
      return evolveDialog(evolvePrompt(evolveGroup(state, event), event), event)
  }
}

const evolveBelow = (state: State, event: RunEvent, path: ReadonlyArray<string>): State => {
  const [slot, ...rest] = path
  const counted = withShared(state, event)
  if (slot === undefined) return evolveOwn(counted, event)
  const child = state.children.get(slot)
  return child === undefined ? state : withChild(counted, slot, evolveBelow(child, event, rest))
}

export const evolve = (state: State, event: RunEvent): State =>
  evolveBelow(state, event, event.data.subworkflow_path ?? [])
