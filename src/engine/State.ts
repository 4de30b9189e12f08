/**
 * The state of a run as a fold over its events. `evolve` is the only way the state changes, alive and on resume alike,
 * so it must never need anything that is not in the event log or the plan.
 *
 * A group will be a state of its own below `Running`, folded by the same function from the events of its members.
 */
import { openGateOf, type OpenGate } from "../domain/Gate.ts"
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import { END } from "../language/document/Route.ts"
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
  /** `node` is next, and nothing of it has happened. */
  | { readonly _tag: "Ready"; readonly node: string }
  /** The iteration limit was hit before `node`, and nobody has said yet whether to go on. */
  | { readonly _tag: "AtLimit"; readonly node: string }
  | { readonly _tag: "Refused"; readonly node: string }
  | { readonly _tag: "Running"; readonly node: string }
  /** A person has to answer; nothing else goes on. */
  | { readonly _tag: "AtGate"; readonly node: string; readonly gate: OpenGate }
  | { readonly _tag: "Interviewing"; readonly node: string; readonly interview: Interview }
  /** `node` has its output; its routes have not been evaluated. */
  | { readonly _tag: "Finished"; readonly node: string }
  /** The route to `$end` was taken. `overrides` are the route's own output values. */
  | { readonly _tag: "Leaving"; readonly node: string; readonly overrides: ValueMap }
  | { readonly _tag: "Terminated"; readonly node: string; readonly termination: Termination }
  | { readonly _tag: "Ended"; readonly node: string | null; readonly ending: Ending }

export interface State extends Memory {
  /** Nodes that count against the limit. */
  readonly iterations: number
  readonly maxIterations: number
  /** How often each node finished. */
  readonly executions: ReadonlyMap<string, number>
  /** Gates and questions shown so far; the next one is told apart by this. */
  readonly prompts: number
  /** What a person has said to the run so far, for the LLM steps that follow. */
  readonly guidance: ReadonlyArray<string>
  readonly phase: Phase
}

export const initialState = (maxIterations: number): State => ({
  inputs: {},
  outputs: new Map(),
  history: History.empty(),
  iterations: 0,
  maxIterations,
  executions: new Map(),
  prompts: 0,
  guidance: [],
  phase: { _tag: "NotStarted" }
})

/** The node that the run is at, or was at when it ended. */
export const currentNode = ({ phase }: State): string | null => (phase._tag === "NotStarted" ? null : phase.node)

/** Which run of the node the next one is, from 1. */
export const nextExecution = (state: State, node: string): number => (state.executions.get(node) ?? 0) + 1

/** The state once `node` has given `output`: it is visible to templates, and counted. */
export const withOutput = (state: State, node: string, output: Value): State => ({
  ...state,
  outputs: new Map(state.outputs).set(node, output),
  history: state.history.append(node),
  iterations: state.iterations + 1,
  executions: new Map(state.executions).set(node, nextExecution(state, node))
})

const finished = (state: State, node: string, output: Value): State => ({
  ...withOutput(state, node, output),
  phase: { _tag: "Finished", node }
})

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
  const counted = { ...state, prompts: state.prompts + 1 }
  return data.step_type === "questions"
    ? interviewed(counted, (interview) => presented(interview, gate))
    : { ...counted, phase: { _tag: "AtGate", node: gate.step, gate } }
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
  phase: { _tag: "Ended", node: currentNode(state), ending }
})

export const evolve = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "workflow_started":
      return { ...state, inputs: event.data.inputs, phase: { _tag: "Ready", node: event.data.entry_point } }
    case "agent_started":
      return { ...state, phase: { _tag: "Running", node: event.data.agent_name } }
    case "script_completed":
    case "set_completed":
    case "wait_completed":
      return finished(state, event.data.agent_name, event.data.output)
    case "agent_completed":
      return terminated(state, event.data) ?? finished(state, event.data.agent_name, event.data.output)
    case "agent_failed":
      return terminated(state, event.data) ?? failedWith(state, event.data.agent_name, event.data.output)
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
    case "guidance_applied":
      return { ...state, guidance: [...state.guidance, event.data.text] }
    case "iteration_limit_reached":
      return { ...state, phase: { _tag: "AtLimit", node: event.data.agent_name } }
    case "iteration_limit_resolved": {
      const { additional_iterations: additional, agent_name: node, continue_execution: goOn } = event.data
      return {
        ...state,
        maxIterations: state.maxIterations + additional,
        phase: { _tag: goOn ? "Ready" : "Refused", node }
      }
    }
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
