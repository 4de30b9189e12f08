/** What the members of parallel groups and the inline steps of for_each groups may be and do. */
import type { Parallel } from "../document/Parallel.ts"
import type { Step } from "../document/Step.ts"
import type { StepType } from "../document/Vocabulary.ts"
import type { Place } from "../Problem.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { parseInputReference } from "./InputReference.ts"
import { typeOf, type Scope } from "./Scope.ts"

const MEMBER_TYPES: ReadonlyArray<StepType> = ["agent", "set", "mcp"]
const INLINE_REFUSED: ReadonlySet<StepType> = new Set(["script", "wait", "terminate", "questions"] as const)

const siblingReferences = (member: Step, group: Parallel, scope: Scope): ReadonlyArray<Finding> => {
  const index = scope.document.agents.indexOf(member)
  const siblings = new Set(group.agents.filter((name) => name !== member.name))
  return member.input.flatMap((text, position) => {
    const reference = parseInputReference(text)
    // The shorthand `step.field` slips through in the reference, and files rely on it.
    return reference?._tag === "Step" && siblings.has(reference.name) && text.startsWith(`${reference.name}.output`)
      ? [
          error(
            ["agents", index, "input", position],
            `"${text}" refers to "${reference.name}", which runs at the same time in the group "${group.name}"`
          )
        ]
      : []
  })
}

const memberFindings = (name: string, place: Place, group: Parallel, scope: Scope): ReadonlyArray<Finding> => {
  const member = scope.document.agents.find((step) => step.name === name)
  const nested = scope.document.parallel.some((other) => other.name === name)
    ? [error(place, `"${name}" is a parallel group, and groups cannot be nested`)]
    : []
  if (member === undefined) return nested
  const type = typeOf(member)
  const refused = MEMBER_TYPES.includes(type)
    ? []
    : [error(place, `"${name}" is of type ${type}; members of a group are of type ${MEMBER_TYPES.join(" or ")}`)]
  const routed =
    member.routes.length === 0
      ? []
      : [
          error(
            place,
            `"${name}" is a member of "${group.name}" and so cannot have routes of its own`,
            "put them on the group"
          )
        ]
  return [...nested, ...refused, ...routed, ...siblingReferences(member, group, scope)]
}

export const parallelMembers = (scope: Scope): ReadonlyArray<Finding> =>
  scope.document.parallel.flatMap((group, groupIndex) =>
    group.agents.flatMap((name, index) =>
      group.agents.indexOf(name) < index
        ? []
        : memberFindings(name, ["parallel", groupIndex, "agents", index], group, scope)
    )
  )

/** Ours: the reference runs such a member twice and keeps one of the results. */
export const repeatedMembers = ({ document }: Scope): ReadonlyArray<Finding> =>
  document.parallel.flatMap(({ agents, name: group }, groupIndex) =>
    agents.flatMap((name, index) =>
      agents.indexOf(name) < index
        ? [warning(["parallel", groupIndex, "agents", index], `"${name}" is a member of "${group}" already`)]
        : []
    )
  )

export const groupNames = ({ document, steps }: Scope): ReadonlyArray<Finding> =>
  document.parallel.flatMap(({ name }, index) =>
    steps.has(name) ? [error(["parallel", index, "name"], `the name "${name}" is already that of a step`)] : []
  )

/** Ours: the reference does not notice these clashes, and runs the group when the step was meant. */
export const forEachNames = ({ document, steps }: Scope): ReadonlyArray<Finding> => {
  const taken = new Set([...steps, ...document.parallel.map(({ name }) => name)])
  return document.for_each.flatMap(({ name }, index) =>
    taken.has(name)
      ? [warning(["for_each", index, "name"], `the name "${name}" is already that of a step or group`)]
      : []
  )
}

export const inlineSteps = ({ document }: Scope): ReadonlyArray<Finding> =>
  document.for_each.flatMap(({ agent, name }, index) => {
    const type = typeOf(agent)
    return INLINE_REFUSED.has(type)
      ? [error(["for_each", index, "agent", "type"], `the group "${name}" cannot run steps of type ${type}`)]
      : []
  })

const noDialog = (place: Place, name: string): Finding =>
  warning([...place, "dialog"], `"${name}" runs in a group, where nobody is there to talk with: it has no dialog`)

/** Ours: the reference ignores such a dialog without a word, and so do runs here. */
export const memberDialogs = ({ document }: Scope): ReadonlyArray<Finding> => {
  const members = new Set(document.parallel.flatMap(({ agents }) => agents))
  const listed = document.agents.flatMap(({ dialog, name }, index) =>
    dialog !== undefined && members.has(name) ? [noDialog(["agents", index], name)] : []
  )
  const inline = document.for_each.flatMap(({ agent, name }, index) =>
    agent.dialog === undefined ? [] : [noDialog(["for_each", index, "agent"], name)]
  )
  return [...listed, ...inline]
}
