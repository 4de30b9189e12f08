/**
 * The state of a run as a fold over its events. `evolve` is the only way the state changes, alive and on resume alike,
 * so it must never need anything that is not in the event log or the plan.
 *
 * A group will be a state of its own below `Running`, folded by the same function from the events of its members.
 */
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import { END } from "../language/document/Route.ts"
import { History } from "./History.ts"
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
  /** How often each node finished. */
  readonly executions: ReadonlyMap<string, number>
  readonly phase: Phase
}

export const initialState = (maxIterations: number): State => ({
  inputs: {},
  outputs: new Map(),
  history: History.empty(),
  iterations: 0,
  maxIterations,
  executions: new Map(),
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

const ended = (state: State, ending: Ending): State => ({
  ...state,
  phase: { _tag: "Ended", node: currentNode(state), ending, before: state.phase }
})

/** Whatever else ends a run between a step and its routes has nothing to do with the step. */
const failedToRoute = (ending: Ending): boolean =>
  ending._tag === "Failed" && ["ValueError", "TemplateError"].includes(ending.event.error_type)

/**
 * A run that is resumed starts a second time in the same log. Then it is at what was not finished and not at its entry,
 * and a limit that stopped it is looked at afresh.
 */
const startingPhase = (phase: Phase, entry: string): Phase => {
  switch (phase._tag) {
    case "NotStarted":
      return { _tag: "Ready", node: entry }
    case "Refused":
      return { _tag: "Ready", node: phase.node }
    case "Ended":
      // Routes over the same output would fail again, so the step gets the chance to give another one.
      return phase.before._tag === "Finished" && failedToRoute(phase.ending)
        ? { _tag: "Ready", node: phase.before.node }
        : startingPhase(phase.before, entry)
    default:
      return phase
  }
}

/** A step that is started while it runs was cut off before, and keeps what is known of its wait. */
const running = (phase: Phase, node: string): Phase =>
  phase._tag === "Running" && phase.node === node ? phase : { _tag: "Running", node }

const waiting = (phase: Phase, since: number): Phase =>
  phase._tag === "Running" ? { waitingSince: since, ...phase } : phase

export const evolve = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "workflow_started":
      return { ...state, inputs: event.data.inputs, phase: startingPhase(state.phase, event.data.entry_point) }
    case "agent_started":
      return { ...state, phase: running(state.phase, event.data.agent_name) }
    case "wait_started":
      return { ...state, phase: waiting(state.phase, event.timestamp) }
    case "wait_failed":
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
