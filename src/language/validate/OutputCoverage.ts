/** Warns when the final output reads a step that some way through the workflow does not pass. */
import { END } from "../document/Route.ts"
import type { WorkflowDocument } from "../document/WorkflowDocument.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"
import { templateReferences } from "./TemplateReferences.ts"
import { readsNode } from "./TemplateRules.ts"

/** Ways through a workflow multiply with its branches; the first ones show what is wrong. */
const MAX_PATHS = 100

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

/** What has run at the end of each way, without going in circles. Ways that end at a node without routes are not counted. */
function* waysFrom(
  name: string,
  exits: ReadonlyMap<string, Exit>,
  visited: ReadonlySet<string>,
  covered: ReadonlyArray<string>
): Generator<ReadonlySet<string>> {
  const exit = exits.get(name)
  if (exit === undefined || exit.replacesOutput) return
  const seen = new Set([...visited, name])
  const all = [...covered, ...exit.covers]
  for (const successor of new Set(exit.successors)) {
    if (successor === END) yield new Set(all)
    else if (!seen.has(successor)) yield* waysFrom(successor, exits, seen, all)
  }
}

const firstWays = ({ document }: Scope): ReadonlyArray<ReadonlySet<string>> => {
  const ways: Array<ReadonlySet<string>> = []
  for (const way of waysFrom(document.workflow.entry_point, exitsOf(document), new Set(), [])) {
    ways.push(way)
    if (ways.length === MAX_PATHS) break
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
