/** Warns when the final output reads a step that some way through the workflow does not pass. */
import { END } from "../document/Route.ts"
import type { WorkflowDocument } from "../document/WorkflowDocument.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"
import { templateReferences } from "./TemplateReferences.ts"
import { readsNode } from "./TemplateRules.ts"

/** Ways through a workflow multiply with its branches; the first ones show what is wrong. */
const MAX_PATHS = 100
/** Of nodes on all ways together: where few ways reach the end, dead ends multiply in their place. */
const MAX_VISITS = 100_000

interface Exit {
  readonly successors: ReadonlyArray<string>
  /** Whether the run ends here with an output of its own, so that the final output is not rendered. */
  readonly replacesOutput: boolean
  /** Names that have run once this node has. */
  readonly covers: ReadonlyArray<string>
}

const exitsOf = (document: WorkflowDocument): ReadonlyMap<string, Exit> => {
  const steps = document.agents.map((step): readonly [string, Exit] => {
    const chosen = step.type === "human_gate" ? (step.options ?? []).map(({ route }) => route) : []
    const routed = step.type === "human_gate" ? [] : step.routes.map(({ to }) => to)
    const replacesOutput = step.type === "terminate" && step.output_template !== undefined
    const successors = step.type === "terminate" ? [END] : [...chosen, ...routed]
    return [step.name, { successors, replacesOutput, covers: [step.name] }]
  })
  const groups = [
    ...document.parallel.map(({ agents, name, routes }) => ({ name, routes, covers: [name, ...agents] })),
    ...document.for_each.map(({ name, routes }) => ({ name, routes, covers: [name] }))
  ].map(({ covers, name, routes }): readonly [string, Exit] => {
    return [name, { successors: routes.map(({ to }) => to), replacesOutput: false, covers }]
  })
  return new Map([...steps, ...groups])
}

interface Stop {
  readonly name: string
  readonly exit: Exit
  readonly untried: Iterator<string>
}

/**
 * What has run at the end of each way, without going in circles. Ways that end at a node without routes are not counted.
 * Without recursion, since a way is as long as the workflow.
 */
const firstWays = ({ document }: Scope): ReadonlyArray<ReadonlySet<string>> => {
  const exits = exitsOf(document)
  const ways: Array<ReadonlySet<string>> = []
  const way: Array<Stop> = []
  const onWay = new Set<string>()
  let visits = 0
  const enter = (name: string): void => {
    const exit = exits.get(name)
    if (exit === undefined || exit.replacesOutput || onWay.has(name)) return
    way.push({ name, exit, untried: new Set(exit.successors).values() })
    onWay.add(name)
    visits += 1
  }
  enter(document.workflow.entry_point)
  for (let stop = way.at(-1); stop !== undefined; stop = way.at(-1)) {
    if (ways.length === MAX_PATHS || visits > MAX_VISITS) break
    const next = stop.untried.next()
    if (next.done === true) {
      way.pop()
      onWay.delete(stop.name)
    } else if (next.value === END) ways.push(new Set(way.flatMap(({ exit }) => exit.covers)))
    else enter(next.value)
  }
  return ways
}

/** Each node that the output reads, with the key that reads it first. */
const nodesRead = ({ document, nodes }: Scope): ReadonlyMap<string, string> => {
  const reads = Object.entries(document.output).flatMap(([key, template]) =>
    templateReferences(template).flatMap((chain) => (readsNode(chain) ? [[chain[0], key] as const] : []))
  )
  return new Map(reads.filter(([name]) => nodes.has(name)).toReversed())
}

export const outputCoverage = (scope: Scope): ReadonlyArray<Finding> => {
  const read = nodesRead(scope)
  if (read.size === 0) return []
  const ways = firstWays(scope)
  return [...read]
    .filter(([name]) => ways.some((way) => !way.has(name)))
    .map(([name, key]) =>
      warning(
        ["output", key],
        `the output reads "${name}", which does not run on every way through the workflow`,
        `read it only where {% if ${name} is defined %}`
      )
    )
}
