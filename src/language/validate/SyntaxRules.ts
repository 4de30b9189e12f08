/** Templates and conditions that can never be evaluated, which the reference notices only when a run comes to them. */
import { conditionForm, expressionFault } from "../Condition.ts"
import type { Place, Position } from "../Problem.ts"
import { dotted } from "../Problem.ts"
import { templateFaults, type TemplateFault } from "../template/Template.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { hookFields, livingRoutes, renderedFields } from "./RenderedFields.ts"
import type { Scope } from "./Scope.ts"
import type { TemplateField } from "./TemplateField.ts"

const suggested = (suggestion: string | undefined): string | undefined =>
  suggestion === undefined ? undefined : `did you mean "${suggestion}"?`

/** The place itself where the template is a file of its own; a text inside the workflow file gives its line in words. */
const positionIn = (
  { fileOrigins }: Scope,
  place: Place,
  { error: { column, line } }: TemplateFault
): Position | undefined => {
  const file = fileOrigins.get(dotted(place))
  return file === undefined ? undefined : { file, line, column }
}

type Severe = "error" | "warning"

const findingOf = (scope: Scope, { place }: TemplateField, fault: TemplateFault, most: Severe): Finding => {
  const { column, line, reason, suggestion } = fault.error
  const what = `the template cannot be rendered: ${reason.replace(/\.$/, "")} (line ${line}, column ${column} of the text)`
  const make = most === "error" && fault.certainty === "always" ? error : warning
  const finding = make(place, what, suggested(suggestion))
  const position = positionIn(scope, place, fault)
  return position === undefined ? finding : { ...finding, position }
}

const inFields = (scope: Scope, fields: ReadonlyArray<TemplateField>, most: Severe): ReadonlyArray<Finding> =>
  fields.flatMap((field) => templateFaults(field.template).map((fault) => findingOf(scope, field, fault, most)))

export const templateSyntax = (scope: Scope): ReadonlyArray<Finding> => [
  ...inFields(scope, renderedFields(scope), "error"),
  ...inFields(scope, hookFields(scope), "warning")
]

const inExpression = (place: Place, when: string): ReadonlyArray<Finding> => {
  const fault = expressionFault(when)
  if (fault === undefined) return []
  const message = `the condition cannot be evaluated: ${fault.reason} (column ${fault.column} of the text)`
  return [error(place, message, suggested(fault.suggestion))]
}

export const conditionSyntax = (scope: Scope): ReadonlyArray<Finding> =>
  livingRoutes(scope.document).flatMap(({ place: route, route: { when } }) => {
    if (when === undefined) return []
    const place = [...route, "when"]
    return conditionForm(when) === "jinja"
      ? inFields(scope, [{ place, template: when }], "error")
      : inExpression(place, when)
  })
