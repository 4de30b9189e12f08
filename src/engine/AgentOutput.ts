/** From what a model answered to what a step gives: extraction, unwrapping, validation (workflow language §5.10–5.12). */
import { Either, Option } from "effect"
import type { AgentResponse } from "../agents/AgentProvider.ts"
import { get, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import { hasType } from "../language/document/InputDefinition.ts"
import type { OutputField, OutputFields } from "../language/document/OutputField.ts"
import { ValidationError } from "./EngineErrors.ts"
import { extractJson } from "./JsonExtraction.ts"
import { shapeOf, validateOutput } from "./OutputValidation.ts"

/** A reply that cannot be used, and why. `syntax`: no JSON was found; `schema`: it does not have the declared shape. */
export type Unusable =
  | { readonly reason: "syntax"; readonly message: string }
  | { readonly reason: "schema"; readonly message: string; readonly error: ValidationError }

const isScalar = (field: OutputField): boolean => field.type !== "object" && field.type !== "array"

/** Models like to wrap: `{"score": {"value": 5}}` for a declared number. Unwrapped only when there is no doubt. */
const unwrapped = (name: string, field: OutputField, value: Value): Value => {
  if (!isScalar(field) || !isMap(value)) return value
  const fitting = [...new Set([name, "value", "result"])].flatMap((key) => {
    const inner = get(value, key)
    return inner !== undefined && hasType(field.type, inner) ? [inner] : []
  })
  return fitting.length === 1 && fitting[0] !== undefined ? fitting[0] : value
}

const unwrapScalars = (fields: OutputFields, value: ValueMap): ValueMap =>
  Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return [name, field === undefined ? entry : unwrapped(name, field, entry)]
    })
  )

const schemaFault = (error: ValidationError): Unusable => ({ reason: "schema", message: error.message, error })

const structured = (step: string, fields: OutputFields, value: Value): Either.Either<ValueMap, Unusable> => {
  if (!isMap(value)) {
    const message = `Step '${step}': the reply must be a JSON object, got ${shapeOf(value)}`
    return Either.left(schemaFault(new ValidationError({ message })))
  }
  return Either.mapLeft(validateOutput(step, fields, unwrapScalars(fields, value)), schemaFault)
}

/** Without declared fields the reply itself is the result. */
export const unstructuredOutput = (content: AgentResponse["content"]): ValueMap => {
  if (content._tag === "Text") return { result: content.text }
  return isMap(content.value) ? content.value : { result: content.value }
}

/** The value that a reply is or holds. */
export const jsonIn = (content: AgentResponse["content"]): Option.Option<Value> =>
  content._tag === "Structured" ? Option.some(content.value) : extractJson(content.text)

export const structuredOutput = (
  step: string,
  fields: OutputFields,
  content: AgentResponse["content"]
): Either.Either<ValueMap, Unusable> => {
  if (content._tag === "Structured") return structured(step, fields, content.value)
  return Option.match(extractJson(content.text), {
    onNone: () => Either.left({ reason: "syntax" as const, message: `Step '${step}': the reply holds no valid JSON` }),
    onSome: (value) => structured(step, fields, value)
  })
}
