/** The fields of a step that validation reads as templates, each with its place. */
import type { Step } from "../document/Step.ts"
import type { Place } from "../Problem.ts"
import type { PlacedStep } from "./Scope.ts"
import { inValue, list, many, one, type TemplateField } from "./TemplateField.ts"
import { templateReferences, type Chain } from "./TemplateReferences.ts"

export const inQuestions = (place: Place, { questions = [] }: Step): ReadonlyArray<TemplateField> =>
  questions.flatMap(({ choices, hint, text }, index) => [
    ...one([...place, index, "text"], text),
    ...one([...place, index, "hint"], hint),
    ...list([...place, index, "choices"], choices)
  ])

const inTerminate = (place: Place, step: Step): ReadonlyArray<TemplateField> =>
  step.type === "terminate"
    ? [...one([...place, "reason"], step.reason), ...many([...place, "output_template"], step.output_template)]
    : []

/** `env`, `stdin`, `duration`, the reason of a wait, and routes are not read (workflow language §6.3). */
const templatesOf = ({ place, step }: PlacedStep): ReadonlyArray<TemplateField> => [
  ...one([...place, "prompt"], step.prompt),
  ...one([...place, "system_prompt"], step.system_prompt),
  ...one([...place, "command"], step.command),
  ...list([...place, "args"], step.args),
  ...one([...place, "working_dir"], step.working_dir),
  ...one([...place, "value"], step.value),
  ...many([...place, "values"], step.values),
  ...many([...place, "input_mapping"], step.input_mapping),
  ...inValue([...place, "arguments"], step.arguments ?? {}),
  ...inTerminate(place, step),
  ...inQuestions([...place, "questions"], step)
]

export interface PlacedChain {
  readonly place: Place
  readonly chain: Chain
}

/** What a step's templates read; its loop variables are no references. */
export const referencesOf = (placed: PlacedStep): ReadonlyArray<PlacedChain> => {
  const defined = placed.loopVariable === undefined ? [] : [placed.loopVariable, "_index", "_key"]
  return templatesOf(placed).flatMap(({ place, template }) =>
    templateReferences(template, defined).map((chain) => ({ place, chain }))
  )
}
