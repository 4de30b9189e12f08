/** The ways through a plan, from its entry on, without running anything. Pure. */
import { END } from "../../language/document/Route.ts"
import type { Plan } from "../../language/Plan.ts"
import type { PlanNode } from "../../language/PlanNode.ts"

export interface Way {
  /** A node, or `$end`. */
  readonly to: string
  /** The condition, or the value that a person chooses; absent for a way that is always open. */
  readonly when?: string
  /** It leads back to where the walk came from, so that a run may go round. */
  readonly loops: boolean
}

interface Visited {
  readonly node: PlanNode
  readonly ways: ReadonlyArray<Way>
}

export interface PlanWalk {
  /** In the order in which a walk that takes the first way first comes to them. */
  readonly reached: ReadonlyArray<Visited>
  /** Nodes that no way leads to and that are in no group on the way, in the order of the document. */
  readonly unreached: ReadonlyArray<PlanNode>
}

type OpenWay = Omit<Way, "loops">

const openWays = (node: PlanNode): ReadonlyArray<OpenWay> => {
  switch (node.kind) {
    case "terminate":
      return []
    case "human_gate":
      return node.options.map(({ route, value }) => ({ to: route, when: value }))
    default: {
      const routes = node.routes.map(({ to, when }) => ({ to, ...(when === undefined ? {} : { when }) }))
      const abort = node.kind === "questions" && node.allow_abort ? [{ to: node.abort_route, when: "aborted" }] : []
      return [...(routes.length === 0 ? [{ to: END }] : routes), ...abort]
    }
  }
}

const nameOf = ({ name }: PlanNode): string => name

export const walkPlan = ({ entry, nodes }: Plan): PlanWalk => {
  const visited = new Map<string, Visited>()
  const visit = (name: string, behind: ReadonlySet<string>): void => {
    const node = nodes.get(name)
    if (node === undefined || visited.has(name)) return
    const here = new Set([...behind, name])
    const ways = openWays(node).map((way) => ({ ...way, loops: here.has(way.to) }))
    visited.set(name, { node, ways })
    for (const { to } of ways) visit(to, here)
  }
  visit(entry, new Set())
  const reached = [...visited.values()]
  const members = new Set(reached.flatMap(({ node }) => (node.kind === "parallel" ? node.members : [])).map(nameOf))
  return {
    reached,
    unreached: [...nodes.values()].filter(({ name }) => !visited.has(name) && !members.has(name))
  }
}
