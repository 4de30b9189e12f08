/**
 * The state of a run as a fold over its events. `evolve` is the only way the state changes, alive and on resume alike,
 * so it must never need anything that is not in the event log.
 *
 * A sub-workflow is a state of its own below that of its parent, folded by the same function from the events that carry
 * its path; a group is the results of its members.
 */
import { openGateOf, type OpenGate } from "../domain/Gate.ts"
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import { END } from "../language/document/Route.ts"
import {
  startedGroup,
  withoutFailures,
  withResult,
  type GroupState,
  type MemberFailure,
  type MemberResult
} from "./GroupState.ts"
import { History } from "./History.ts"
import { beginInterview, foldAnswer, presented, told, type Interview } from "./Interview.ts"
import type { Memory } from "./StepContext.ts"

/** What a `terminate` step asked for. */
export interface Termination {
  readonly step: string
  readonly status: "success" | "failed"
  readonly reason: string
}

type Ending =
  | { readonly _tag: "Completed"; readonly output: ValueMap }
  | { readonly _tag: "Failed"; readonly event: RunEventData["workflow_failed"] }
  | { readonly _tag: "Cancelled" }

type Phase =
  | { readonly _tag: "NotStarted" }
  /** `node` is next, and nothing of it has happened but that room was made for it. */
  | { readonly _tag: "Ready"; readonly node: string; readonly trimmed?: true }
  /** The iteration limit was hit before `node`, and nobody has said yet whether to go on. */
  | { readonly _tag: "AtLimit"; readonly node: string }
  | { readonly _tag: "Refused"; readonly node: string }
  | { readonly _tag: "InGroup"; readonly node: string; readonly group: GroupState }
  /** A person has to answer; nothing else goes on. */
  | { readonly _tag: "AtGate"; readonly node: string; readonly gate: OpenGate }
  | { readonly _tag: "Interviewing"; readonly node: string; readonly interview: Interview }
  /** `waitingSince`: when a wait step began to wait, in unix seconds; a wait that was cut off goes on from there. */
  | { readonly _tag: "Running"; readonly node: string; readonly waitingSince?: number }
  /** `node` has its output; its routes have not been evaluated. */
  | { readonly _tag: "Finished"; readonly node: string }
  /** The route to `$end` was taken. `overrides` are the route's own output values. */
  | { readonly _tag: "Leaving"; readonly node: string; readonly overrides: ValueMap }
  | { readonly _tag: "Terminated"; readonly node: string; readonly termination: Termination }
  /** `before`: where the run stood, and goes on if it is started again. */
  | { readonly _tag: "Ended"; readonly node: string | null; readonly ending: Ending; readonly before: Phase }

export interface State extends Memory {
  /** Nodes that count against the limit. */
  readonly iterations: number
  readonly maxIterations: number
  /** Iterations that were added to the workflow's own limit. */
  readonly granted: number
  /** Groups that had nothing to run. They cost no iteration, and a loop of them has to end all the same. */
  readonly skips: number
  /** US dollars, as far as prices are known; with what sub-workflows spent that have completed. */
  readonly spent: number
  /** What had been spent when an overshoot of the budget was told last. */
  readonly budgetTold?: number
  /** What a person has said to the run, oldest first. */
  readonly guidance: ReadonlyArray<string>
  /** How often each node finished. */
  readonly executions: ReadonlyMap<string, number>
  /** Gates and questions shown so far, those of sub-workflows included; the next one is told apart by this. */
  readonly prompts: number
  /** Sub-workflows that have started and whose step or item has not finished, by slot. */
  readonly children: ReadonlyMap<string, State>
  readonly phase: Phase
}

export const initialState = (maxIterations: number): State => ({
  inputs: {},
  outputs: new Map(),
  history: History.empty(),
  iterations: 0,
  maxIterations,
  granted: 0,
  skips: 0,
  spent: 0,
  guidance: [],
  executions: new Map(),
  children: new Map(),
  prompts: 0,
  phase: { _tag: "NotStarted" }
})

export const hasStarted = ({ phase }: State): boolean => phase._tag !== "NotStarted"

/** The node that the run is at, or was at when it ended. */
export const currentNode = ({ phase }: State): string | null => (phase._tag === "NotStarted" ? null : phase.node)

/** Which run of the node the next one is, from 1. */
export const nextExecution = (state: State, node: string): number => (state.executions.get(node) ?? 0) + 1

/** The state once `node` has given `output`: it is visible to templates, and counts as so many iterations. */
export const withOutput = (state: State, node: string, output: Value, iterations = 1): State => ({
  ...state,
  outputs: new Map(state.outputs).set(node, output),
  history: state.history.append(node),
  iterations: state.iterations + iterations,
  executions: new Map(state.executions).set(node, nextExecution(state, node))
})

const withSpending = (state: State, cost: number | null): State =>
  cost === null || cost === 0 ? state : { ...state, spent: state.spent + cost }

const finished = (state: State, node: string, output: Value, iterations = 1): State => ({
  ...withOutput(state, node, output, iterations),
  phase: { _tag: "Finished", node }
})

const withoutChild = (state: State, slot: string): State => {
  if (!state.children.has(slot)) return state
  const children = new Map(state.children)
  children.delete(slot)
  return { ...state, children }
}

const withChild = (state: State, slot: string, child: State): State => ({
  ...state,
  children: new Map(state.children).set(slot, child)
})

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

const interviewed = (state: State, change: (interview: Interview) => Interview): State =>
  state.phase._tag === "Interviewing"
    ? { ...state, phase: { ...state.phase, interview: change(state.phase.interview) } }
    : state

const gatePresented = (state: State, data: RunEventData["gate_presented"]): State => {
  const gate = openGateOf(data)
  return data.step_type === "questions"
    ? interviewed(state, (interview) => presented(interview, gate))
    : { ...state, phase: { _tag: "AtGate", node: gate.step, gate } }
}

/** The option that was chosen leads on at once: the routes of a gate are never looked at. */
const gateResolved = (state: State, data: RunEventData["gate_resolved"]): State => {
  const { additional_input, agent_name: node, route, selected_option: selected } = data
  if (data.step_type === "questions") {
    return interviewed(state, (interview) => foldAnswer(interview, selected, additional_input))
  }
  const phase: Phase = route === END ? { _tag: "Leaving", node, overrides: {} } : { _tag: "Ready", node: route }
  return { ...withOutput(state, node, { selected, additional_input }), phase }
}

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

const failureIn = ({ error_type, message, suggestion }: MemberFailure): MemberFailure => ({
  error_type,
  message,
  suggestion
})

/** Whatever else ends a run between a step and its routes has nothing to do with the step. */
const failedToRoute = (ending: Ending): boolean =>
  ending._tag === "Failed" && ["ValueError", "TemplateError"].includes(ending.event.error_type)

/** A run that is resumed is at what was not finished, and a limit that stopped it is looked at afresh. */
const resumedPhase = (phase: Phase): Phase => {
  switch (phase._tag) {
    case "Refused":
      return { _tag: "Ready", node: phase.node }
    case "Ended":
      return phase.ending._tag === "Completed" ? phase : resumedAfter(phase.before, phase.ending)
    default:
      return phase
  }
}

const resumedAfter = (before: Phase, ending: Ending): Phase => {
  // Routes over the same output would fail again, so the step gets the chance to give another one.
  if (before._tag === "Finished" && failedToRoute(ending)) return { _tag: "Ready", node: before.node }
  if (before._tag === "InGroup" && ending._tag === "Failed") {
    return { ...before, group: withoutFailures(before.group) }
  }
  return resumedPhase(before)
}

/** A sub-workflow that ended itself on purpose would do so again from where it stood, so it begins anew. */
const endedItself = ({ phase }: State): boolean => phase._tag === "Ended" && phase.before._tag === "Terminated"

const resumed = (state: State): State => ({
  ...state,
  phase: resumedPhase(state.phase),
  children: new Map(
    [...state.children].filter(([, child]) => !endedItself(child)).map(([slot, child]) => [slot, resumed(child)])
  )
})

/** The second start in a log is that of a run that is resumed: it is at what it was at, and not at its entry. */
const started = (state: State, data: RunEventData["workflow_started"]): State => {
  const { entry_point: node, inputs, max_iterations: limit } = data
  const begun: State = hasStarted(state) ? resumed(state) : { ...state, phase: { _tag: "Ready", node } }
  return { ...begun, inputs, maxIterations: limit + state.granted }
}

/** A step that is started while it runs was cut off before, and keeps what is known of its wait. */
const running = (phase: Phase, node: string): Phase =>
  phase._tag === "Running" && phase.node === node ? phase : { _tag: "Running", node }

const waiting = (phase: Phase, since: number): Phase =>
  phase._tag === "Running" ? { waitingSince: since, ...phase } : phase

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
      return withChild(state, event.data.slot_key, { ...initialState(0), prompts: state.prompts })
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
    case "route_taken": {
      const { from_agent: from, output: overrides = {}, to_agent: to } = event.data
      const phase: Phase = to === END ? { _tag: "Leaving", node: from, overrides } : { _tag: "Ready", node: to }
      return { ...state, phase }
    }
    case "gate_presented":
      return gatePresented(state, event.data)
    case "gate_resolved":
      return gateResolved(state, event.data)
    case "questions_presented": {
      const phase: Phase = {
        _tag: "Interviewing",
        node: event.data.agent_name,
        interview: beginInterview(event.data)
      }
      return { ...state, phase }
    }
    case "questions_answered":
    case "questions_answer_rejected":
      return interviewed(state, told)
    case "questions_completed":
      return finished(state, event.data.agent_name, event.data.output)
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
      return state
  }
}

const withPrompt = (state: State, { type }: RunEvent): State =>
  type === "gate_presented" ? { ...state, prompts: state.prompts + 1 } : state

const evolveBelow = (state: State, event: RunEvent, path: ReadonlyArray<string>): State => {
  const [slot, ...rest] = path
  const counted = withPrompt(state, event)
  if (slot === undefined) return evolveOwn(counted, event)
  const child = state.children.get(slot)
  return child === undefined ? state : withChild(counted, slot, evolveBelow(child, event, rest))
}

export const evolve = (state: State, event: RunEvent): State =>
  evolveBelow(state, event, event.data.subworkflow_path ?? [])
