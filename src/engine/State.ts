/**
 * The state of a run: all that the decider and the steps may know of what has happened. A sub-workflow is a state of its
 * own below that of its parent; a group is the results of its members.
 */
import type { Value } from "../domain/Value.ts"
import { History } from "./History.ts"
import type { Phase } from "./Phase.ts"
import type { Sessions } from "./Sessions.ts"
import type { Memory } from "./StepContext.ts"

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
  /** What steps with a `session_key` have said, in this workflow and in those above and below it. */
  readonly sessions: Sessions
  /** Models whose unknown or doubtful price has been told. */
  readonly pricesTold: ReadonlySet<string>
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
  sessions: new Map(),
  pricesTold: new Set(),
  phase: { _tag: "NotStarted" }
})

export const hasStarted = ({ phase }: State): boolean => phase._tag !== "NotStarted"

/** The node that the run is at, or was at when it ended. */
export const currentNode = ({ phase }: State): string | null => (phase._tag === "NotStarted" ? null : phase.node)

/** Which run of the node the next one is, from 1. */
export const nextExecution = (state: State, node: string): number => (state.executions.get(node) ?? 0) + 1

/** `undefined`: nothing. The node has not finished by this. */
export const withStored = (state: State, node: string, output: Value | undefined): State => {
  const outputs = new Map(state.outputs)
  if (output === undefined) outputs.delete(node)
  else outputs.set(node, output)
  return { ...state, outputs }
}

/** The state once `node` has given `output`: it is visible to templates, and counts as so many iterations. */
export const withOutput = (state: State, node: string, output: Value, iterations = 1): State => ({
  ...state,
  outputs: new Map(state.outputs).set(node, output),
  history: state.history.append(node),
  iterations: state.iterations + iterations,
  executions: new Map(state.executions).set(node, nextExecution(state, node))
})

export const withSpending = (state: State, cost: number | null): State =>
  cost === null || cost === 0 ? state : { ...state, spent: state.spent + cost }

/** A node has its output, and its routes are next. */
export const finished = (state: State, node: string, output: Value, iterations = 1): State => ({
  ...withOutput(state, node, output, iterations),
  phase: { _tag: "Finished", node }
})

export const withoutChild = (state: State, slot: string): State => {
  if (!state.children.has(slot)) return state
  const children = new Map(state.children)
  children.delete(slot)
  return { ...state, children }
}

export const withChild = (state: State, slot: string, child: State): State => ({
  ...state,
  children: new Map(state.children).set(slot, child)
})
