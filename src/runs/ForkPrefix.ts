/** The part of a run's log that a fork begins with. Pure. */
import { Either } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import { get, type ValueMap } from "../domain/Value.ts"
import { evolve } from "../engine/Evolve.ts"
import { initialState, type State } from "../engine/State.ts"

/** The events with which a node of the workflow itself begins; what a group or a sub-workflow starts is part of it. */
const beginnings: ReadonlySet<string> = new Set(["agent_started", "parallel_started", "for_each_started"])

const startedNode = ({ data, type }: RunEvent): string | undefined => {
  const fields = data as unknown as ValueMap
  if (!beginnings.has(type) || get(fields, "subworkflow_path") !== undefined) return undefined
  const group = get(fields, "group_name")
  if (type === "agent_started" && group !== undefined) return undefined
  const name = type === "agent_started" ? get(fields, "agent_name") : group
  return typeof name === "string" ? name : undefined
}

/** Whether the node begins, and does not go on with what it had begun before the run was cut off. */
const begins = (before: State, node: string): boolean => {
  const { phase } = before
  switch (phase._tag) {
    case "Running":
    case "InGroup":
    case "Interviewing":
    case "Conversing":
      return phase.node !== node
    default:
      return true
  }
}

/** Everything before the step began for the last time; `Left` names the steps that have started, in order. */
export const forkPrefix = (
  events: ReadonlyArray<RunEvent>,
  step: string
): Either.Either<ReadonlyArray<RunEvent>, ReadonlyArray<string>> => {
  const nodes = events.map(startedNode)
  let state = initialState(0)
  let beginning: number | undefined
  for (const [index, event] of events.entries()) {
    if (nodes[index] === step && begins(state, step)) beginning = index
    state = evolve(state, event)
  }
  return beginning === undefined
    ? Either.left([...new Set(nodes)].filter((node) => node !== undefined))
    : Either.right(events.slice(0, beginning))
}
