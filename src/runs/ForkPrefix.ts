/** The part of a run's log that a fork begins with. Pure. */
import { Either } from "effect"
import type { RunEvent } from "../domain/RunEvent.ts"
import { get, type ValueMap } from "../domain/Value.ts"

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

/** A run leaves a node by a route of its own, and by nothing else. */
const isRoute = ({ data, type }: RunEvent): boolean => type === "route_taken" && data.subworkflow_path === undefined

/**
 * Everything before the step began for the last time, whether or not it was cut off after that and started again; `Left`
 * names the steps that have started, in order.
 */
export const forkPrefix = (
  events: ReadonlyArray<RunEvent>,
  step: string
): Either.Either<ReadonlyArray<RunEvent>, ReadonlyArray<string>> => {
  const nodes = events.map(startedNode)
  const latest = nodes.lastIndexOf(step)
  if (latest === -1) return Either.left([...new Set(nodes)].filter((node) => node !== undefined))
  const arrival = events.slice(0, latest).findLastIndex(isRoute)
  return Either.right(events.slice(0, nodes.indexOf(step, arrival + 1)))
}
