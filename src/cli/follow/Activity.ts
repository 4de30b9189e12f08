/** What a run does at the moment, as a fold over its events: the steps and groups that have begun and not ended. Pure. */
import type { OpenGate } from "../../domain/Gate.ts"
import { isNested, type RunEvent } from "../../domain/RunEvent.ts"
import { isSlotOf } from "../../domain/SlotKey.ts"
import { advance, emptyFold, type RunFold, type RunOrigin } from "../../runs/RunFold.ts"

interface Begun {
  /** The slots of the sub-workflows above it. */
  readonly path: ReadonlyArray<string>
  readonly name: string
  /** Unix time in seconds. */
  readonly since: number
}

interface ActiveStep extends Begun {
  readonly _tag: "Step"
  /** As a workflow names it: `agent`, `script`, … */
  readonly type: string
}

interface ActiveGroup extends Begun {
  readonly _tag: "Group"
  readonly type: "parallel" | "for_each"
  readonly size: number
  readonly succeeded: number
  readonly failed: number
}

export type Active = ActiveStep | ActiveGroup

export interface Activity {
  readonly run: RunFold
  /** In the order in which they began. */
  readonly active: ReadonlyArray<Active>
  /** When the run was started, or was last gone on with; unix time in seconds. */
  readonly since?: number
  /** Columns of the longest name of a step or group of the root. */
  readonly widestName: number
}

export const noActivity = (origin: RunOrigin): Activity => ({ run: emptyFold(origin), active: [], widestName: 0 })

/** `sub/step` for a step of a sub-workflow. */
export const placeOf = ({ name, path }: Pick<Begun, "name" | "path">): string => [...path, name].join("/")

/** What the person is asked first; of several gates the one that was opened first, as for everybody else. */
export const askedFirst = ({ run }: Activity): OpenGate | undefined =>
  run.status === "awaiting_gate" ? run.gates[0]?.gate : undefined

const begin = (activity: Activity, begun: Active): Activity => ({
  ...activity,
  active: [...activity.active.filter((one) => placeOf(one) !== placeOf(begun)), begun]
})

const isBelow = (path: ReadonlyArray<string>, top: ReadonlyArray<string>): boolean =>
  top.every((slot, at) => path[at] === slot)

/** Ends it, and whatever is left below it. */
const end = (activity: Activity, path: ReadonlyArray<string>, name: string): Activity => ({
  ...activity,
  active: activity.active.filter(
    (one) => !isBelow(one.path, path) || !isSlotOf(name, [...one.path, one.name][path.length])
  )
})

const count = (
  activity: Activity,
  path: ReadonlyArray<string>,
  name: string,
  key: "succeeded" | "failed"
): Activity => ({
  ...activity,
  active: activity.active.map((one) =>
    one._tag === "Group" && placeOf(one) === placeOf({ path, name }) ? { ...one, [key]: one[key] + 1 } : one
  )
})

const namesOf = (entries: ReadonlyArray<{ readonly name?: unknown }>): ReadonlyArray<string> =>
  entries.flatMap(({ name }) => (typeof name === "string" ? [name] : []))

const restart = (activity: Activity, event: Extract<RunEvent, { readonly type: "workflow_started" }>): Activity => {
  const { agents, for_each_groups, parallel_groups } = event.data
  const names = namesOf([...agents, ...parallel_groups, ...for_each_groups])
  return {
    ...activity,
    active: [],
    since: event.timestamp,
    widestName: Math.max(0, ...names.map((name) => name.length))
  }
}

const follow = (activity: Activity, event: RunEvent): Activity => {
  const { group_name: group, subworkflow_path: path = [] } = event.data
  const since = event.timestamp
  switch (event.type) {
    case "workflow_started":
      return isNested(event) ? activity : restart(activity, event)
    case "agent_started": {
      const { agent_name: name, agent_type: type } = event.data
      return begin(activity, { _tag: "Step", path, name, since, type })
    }
    case "parallel_started": {
      const { agents, group_name: name } = event.data
      const size = agents.length
      return begin(activity, { _tag: "Group", path, name, since, type: "parallel", size, succeeded: 0, failed: 0 })
    }
    case "for_each_started": {
      const { group_name: name, item_count: size } = event.data
      return begin(activity, { _tag: "Group", path, name, since, type: "for_each", size, succeeded: 0, failed: 0 })
    }
    case "parallel_agent_completed":
    case "for_each_item_completed":
      return count(activity, path, event.data.group_name, "succeeded")
    case "parallel_agent_failed":
    case "for_each_item_failed":
      return count(activity, path, event.data.group_name, "failed")
    case "parallel_completed":
    case "for_each_completed":
      return end(activity, path, event.data.group_name)
    case "route_taken":
      return end(activity, path, event.data.from_agent)
    case "agent_completed":
    case "agent_failed":
    case "script_completed":
    case "script_failed":
    case "set_completed":
    case "set_failed":
    case "wait_completed":
    case "wait_failed":
    case "questions_completed":
    case "mcp_completed":
    case "mcp_failed":
    case "subworkflow_completed":
    case "subworkflow_failed":
      return group === undefined ? end(activity, path, event.data.agent_name) : activity
    case "gate_resolved":
      return event.data.step_type === undefined ? end(activity, path, event.data.agent_name) : activity
    default:
      return activity
  }
}

/** Total: what it does not know changes nothing. */
export const advanceActivity = (activity: Activity, event: RunEvent): Activity => ({
  ...follow(activity, event),
  run: advance(activity.run, event)
})

/** What stands for others is left out: a step of which an inner one is at work, and everything inside of an item. */
export const foremost = ({ active }: Activity): ReadonlyArray<Active> => {
  const groups = active.filter((one) => one._tag === "Group")
  const isInGroup = ({ path }: Active): boolean =>
    groups.some((group) => isBelow(path, group.path) && isSlotOf(group.name, path[group.path.length]))
  const hasInner = ({ name, path }: Active): boolean =>
    active.some((other) => other.path.length > path.length && isBelow(other.path, [...path, name]))
  return active.filter((one) => !isInGroup(one) && !hasInner(one))
}
