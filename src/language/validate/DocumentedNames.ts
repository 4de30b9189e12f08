/** Names that the documentation of the format lets templates read, and that are not there (workflow language §11). */
import type { Place } from "../Problem.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import { hookFields, livingRoutes, renderedFields } from "./RenderedFields.ts"
import type { Scope } from "./Scope.ts"
import { templateReferences, type Chain } from "./TemplateReferences.ts"
import { conditionForm } from "../Condition.ts"

/** What a name stands for that is not there: why, and what to write. */
interface Wrong {
  readonly message: string
  readonly suggestion: string
}

const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ["str", "write {{ value | string }}"],
  ["len", "write {{ value | length }}"],
  ["int", "write {{ value | int }}"],
  ["float", "write {{ value | float }}"]
])

const WORKFLOW_PARTS = ["input", "name", "dir", "file"]

const missingFunction = ([root]: Chain, { nodes, placedSteps }: Scope): Wrong | undefined => {
  const suggestion = FUNCTIONS.get(root)
  const isTaken = nodes.has(root) || placedSteps.some(({ loopVariable }) => loopVariable === root)
  return suggestion === undefined || isTaken
    ? undefined
    : { message: `templates have no function "${root}"`, suggestion }
}

const workflowPart = ([root, part]: Chain): Wrong | undefined => {
  if (root !== "workflow" || part === undefined || WORKFLOW_PARTS.includes(part)) return undefined
  const suggestion =
    part === "error"
      ? "in on_error write error.type, error.message or error.suggestion"
      : `there are ${WORKFLOW_PARTS.map((known) => `workflow.${known}`).join(", ")}`
  return { message: `templates see no "workflow.${part}"`, suggestion }
}

const gateChoice = ([root, part, field]: Chain, { document }: Scope): Wrong | undefined => {
  if (part !== "choice" && !(part === "output" && field === "choice")) return undefined
  return document.agents.some(({ name, type }) => name === root && type === "human_gate")
    ? { message: `a gate gives no "choice"`, suggestion: `write ${root}.output.selected` }
    : undefined
}

const ENTRY_FIELDS = {
  parallel: { wrong: ["error", "agent"], right: ["agent_name", "exception_type", "message", "suggestion"] },
  for_each: { wrong: ["error", "index", "key"], right: ["item_key", "exception_type", "message", "suggestion"] }
} as const

const errorEntry = ([root, part, , field]: Chain, { document }: Scope): Wrong | undefined => {
  if (part !== "errors" || field === undefined) return undefined
  const kind = (["parallel", "for_each"] as const).find((one) => document[one].some(({ name }) => name === root))
  if (kind === undefined) return undefined
  const { right, wrong } = ENTRY_FIELDS[kind]
  return wrong.some((name) => name === field)
    ? { message: `an entry of ${root}.errors has no "${field}"`, suggestion: `it has ${right.join(", ")}` }
    : undefined
}

/** Every name that a run can go to by itself. */
const targetsOf = ({ agents, for_each: loops, parallel, workflow }: Scope["document"]): ReadonlySet<string> =>
  new Set([
    workflow.entry_point,
    ...[...agents, ...parallel, ...loops].flatMap(({ routes }) => routes.map(({ to }) => to)),
    ...agents.flatMap(({ abort_route: route, options = [] }) => [route ?? "", ...options.map(({ route }) => route)])
  ])

/** What a member gives is kept in its group alone, even for the member itself when the group runs again. */
const memberOutput = ([root, part]: Chain, { document }: Scope): Wrong | undefined => {
  const group = part === "output" ? document.parallel.find(({ agents }) => agents.includes(root)) : undefined
  return group === undefined || targetsOf(document).has(root)
    ? undefined
    : { message: `"${root}" runs in the group "${group.name}" only`, suggestion: `write ${group.name}.outputs.${root}` }
}

const CHECKS = [missingFunction, workflowPart, gateChoice, errorEntry, memberOutput]

interface PlacedChain {
  readonly place: Place
  readonly chain: Chain
}

const templateWhens = (scope: Scope) =>
  livingRoutes(scope.document).flatMap(({ place, route: { when } }) =>
    when !== undefined && conditionForm(when) === "jinja" ? [{ place: [...place, "when"], template: when }] : []
  )

const chainsIn = (fields: ReadonlyArray<{ readonly place: Place; readonly template: string }>) =>
  fields.flatMap(({ place, template }) => templateReferences(template).map((chain): PlacedChain => ({ place, chain })))

export const documentedNames = (scope: Scope): ReadonlyArray<Finding> =>
  chainsIn([...renderedFields(scope), ...hookFields(scope), ...templateWhens(scope)]).flatMap(({ chain, place }) =>
    CHECKS.flatMap((check) => {
      const wrong = check(chain, scope)
      return wrong === undefined ? [] : [warning(place, wrong.message, wrong.suggestion)]
    })
  )

/** Roots of the context of routes, and the functions of templates. */
const ALWAYS_THERE = new Set([
  "workflow",
  "context",
  "output",
  "range",
  "dict",
  "lipsum",
  "cycler",
  "joiner",
  "namespace"
])

/** `{{ score >= 8 }}`: fields of the output are names by themselves only in conditions without braces. */
export const bareOutputFields = (scope: Scope): ReadonlyArray<Finding> =>
  chainsIn(templateWhens(scope))
    .filter(({ chain: [root] }) => !ALWAYS_THERE.has(root) && !scope.nodes.has(root) && !FUNCTIONS.has(root))
    .map(({ chain: [root], place }) =>
      warning(
        place,
        `a condition in {{ }} sees no "${root}" by itself`,
        `write output.${root}, or leave out the braces`
      )
    )
