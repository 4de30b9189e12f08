/** `input:` lists name things that exist. A missing optional one is only worth a warning. */
import { didYouMean } from "../Suggestion.ts"
import type { Place } from "../Problem.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { parseInputReference, type InputReference } from "./InputReference.ts"
import type { Scope } from "./Scope.ts"

const FORMS =
  "step.output[.field], group.outputs[.member[.field]], group.errors or workflow.input.name, with ? when optional"

const known = (reference: InputReference, { groups, inputs, steps }: Scope): ReadonlySet<string> => {
  if (reference._tag === "Input") return inputs
  return reference._tag === "Group" ? groups : steps
}

const KINDS = { Input: "workflow input", Step: "step", Group: "group" } as const

const check = (text: string, place: Place, scope: Scope): ReadonlyArray<Finding> => {
  const reference = parseInputReference(text)
  if (reference === undefined) return [error(place, `"${text}" is not an input reference`, `write ${FORMS}`)]
  const names = known(reference, scope)
  if (names.has(reference.name)) return []
  const message = `"${text}" refers to the unknown ${KINDS[reference._tag]} "${reference.name}"`
  const finding = reference.optional ? warning : error
  return [finding(place, message, didYouMean(reference.name, names))]
}

export const inputReferences = (scope: Scope): ReadonlyArray<Finding> =>
  scope.document.agents.flatMap(({ input }, step) =>
    input.flatMap((text, index) => check(text, ["agents", step, "input", index], scope))
  )
