/** Names of conditions without braces, which are not those of templates (workflow language §3.3). */
import { conditionForm, readExpression } from "../Condition.ts"
import type { Place } from "../Problem.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import { livingRoutes } from "./RenderedFields.ts"
import type { Scope } from "./Scope.ts"
import { expressionReferences, type Chain } from "./TemplateReferences.ts"

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"],
  ["none", "None"]
])

/** What to write instead of a chain that has no value; undefined when nothing is known to be wrong. */
const meant = ([root, part, ...rest]: Chain, { nodes }: Scope): string | undefined => {
  if (part === undefined) return CONSTANTS.get(root)
  if (root === "output") return [part, ...rest].join(".")
  const isFlattened = root === "workflow" || root === "context" || nodes.has(root)
  return isFlattened ? [`${root}_${part}`, ...rest].join(".") : undefined
}

const inCondition = (place: Place, when: string, scope: Scope): ReadonlyArray<Finding> => {
  const expression = readExpression(when)
  if (expression === undefined) return []
  return expressionReferences(expression).flatMap((chain) => {
    const instead = meant(chain, scope)
    if (instead === undefined) return []
    const message = `a condition without braces knows no "${chain.join(".")}"`
    return [warning(place, message, `write ${instead}, or put the whole condition into {{ }}`)]
  })
}

export const conditionNames = (scope: Scope): ReadonlyArray<Finding> =>
  livingRoutes(scope.document).flatMap(({ place, route: { when } }) =>
    when === undefined || conditionForm(when) === "jinja" ? [] : inCondition([...place, "when"], when, scope)
  )
