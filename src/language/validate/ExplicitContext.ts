/** Warns, in explicit mode, when a template reads what the step's `input` list does not bring in. */
import type { StepType } from "../document/Vocabulary.ts"
import { warning, type Finding } from "./Diagnostic.ts"
import { parseInputReference, type InputReference } from "./InputReference.ts"
import { typeOf, type PlacedStep, type Scope } from "./Scope.ts"
import { referencesOf } from "./StepTemplates.ts"
import type { Chain } from "./TemplateReferences.ts"
import { inputOf, readsNode } from "./TemplateRules.ts"

/** These are rendered with the whole context in every mode. */
const SEE_EVERYTHING: ReadonlySet<StepType> = new Set(["human_gate", "questions"] as const)
/** These always get all workflow inputs (workflow language §4.3). */
const SEE_ALL_INPUTS: ReadonlySet<StepType> = new Set(["script", "set", "workflow", "wait", "mcp"] as const)

/** Whether a declared path brings in what is read: the same one, or one that contains it. */
const contains = (declared: ReadonlyArray<string>, read: ReadonlyArray<string>): boolean =>
  declared.length <= read.length && declared.every((name, index) => name === read[index])

const declares = (reference: InputReference, chain: Chain): boolean => {
  const [root, part, ...path] = chain
  if (reference._tag === "Input") return inputOf(chain) === reference.name
  if (reference.name !== root) return false
  if (reference._tag === "Step") return part === "output" && contains(reference.fields, path)
  return reference.part === "errors" ? part === "errors" : part === "outputs" && contains(reference.path, path)
}

const isChecked = (chain: Chain, type: StepType, { inputs, nodes }: Scope): boolean => {
  const input = inputOf(chain)
  if (input !== undefined) return inputs.has(input) && !SEE_ALL_INPUTS.has(type)
  return readsNode(chain) && nodes.has(chain[0])
}

/**
 * What one warning stands for: a whole node or input that is not declared at all or, beside declared fields of a node, the
 * one field that is missing.
 */
const subject = (chain: Chain, declared: ReadonlyArray<InputReference>): string => {
  const isPartlyDeclared = declared.some(({ _tag, name }) => _tag !== "Input" && name === chain[0])
  return chain.slice(0, inputOf(chain) !== undefined || isPartlyDeclared ? 3 : 2).join(".")
}

const missing = (placed: PlacedStep, scope: Scope): ReadonlyArray<Finding> => {
  const type = typeOf(placed.step)
  const declared = placed.step.input.flatMap((text) => parseInputReference(text) ?? [])
  const undeclared = referencesOf(placed)
    .filter(({ chain }) => isChecked(chain, type, scope))
    .filter(({ chain }) => !declared.some((reference) => declares(reference, chain)))
  const bySubject = new Map(undeclared.map(({ chain, place }) => [subject(chain, declared), place]))
  return [...bySubject].map(([reference, place]) =>
    warning(
      place,
      `in explicit mode step "${placed.step.name}" does not see "${reference}"`,
      `add ${reference} to its input list`
    )
  )
}

export const explicitContext = (scope: Scope): ReadonlyArray<Finding> =>
  scope.document.workflow.context.mode === "explicit"
    ? scope.placedSteps
        .filter(({ step }) => !SEE_EVERYTHING.has(typeOf(step)))
        .flatMap((placed) => missing(placed, scope))
    : []
