/** What has to hold between the parts of a document for it to run at all (workflow language §1.2). */
import type { Place } from "../Problem.ts"
import { didYouMean } from "../Suggestion.ts"
import type { Fault } from "./Fault.ts"
import { END, type Route } from "./Route.ts"
import { nodeNames, type WorkflowDocument } from "./WorkflowDocument.ts"

const unknownName = (place: Place, what: string, name: string, known: Iterable<string>): Fault => {
  const suggestion = didYouMean(name, known)
  const message = `${what} "${name}" is not a step or group of this workflow`
  return suggestion === undefined ? { place, message } : { place, message, suggestion }
}

interface RoutedNode {
  readonly routes: ReadonlyArray<Route>
}

const routeFaults = (section: string, nodes: ReadonlyArray<RoutedNode>, known: ReadonlySet<string>) =>
  nodes.flatMap(({ routes }, node) =>
    routes.flatMap(({ to }, route) =>
      to === END || known.has(to)
        ? []
        : [unknownName([section, node, "routes", route, "to"], "the route target", to, [...known, END])]
    )
  )

const memberFaults = ({ agents, parallel }: WorkflowDocument): ReadonlyArray<Fault> => {
  const steps = new Set(agents.map(({ name }) => name))
  return parallel.flatMap((group, groupIndex) =>
    group.agents.flatMap((member, index) =>
      steps.has(member)
        ? []
        : [unknownName(["parallel", groupIndex, "agents", index], "the group member", member, steps)]
    )
  )
}

const nestingFaults = ({ for_each }: WorkflowDocument): ReadonlyArray<Fault> => {
  const groups = new Set(for_each.map(({ name }) => name))
  return for_each.flatMap(({ agent }, index) => {
    const place = ["for_each", index, "agent", "name"]
    return groups.has(agent.name)
      ? [{ place, message: `"${agent.name}" is the name of a for_each group, and groups cannot be nested` }]
      : []
  })
}

export const crossFaults = (document: WorkflowDocument): ReadonlyArray<Fault> => {
  const known = new Set(nodeNames(document))
  const entry = document.workflow.entry_point
  return [
    ...(known.has(entry) ? [] : [unknownName(["workflow", "entry_point"], "the entry point", entry, known)]),
    ...routeFaults("agents", document.agents, known),
    ...routeFaults("parallel", document.parallel, known),
    ...routeFaults("for_each", document.for_each, known),
    ...memberFaults(document),
    ...nestingFaults(document)
  ]
}
