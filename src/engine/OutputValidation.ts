/**
 * Checks a step's output against its declared fields (workflow language §5.11). Fields that are not declared are kept
 * and never an error.
 */
import { Either } from "effect"
import { get, isList, isMap, stringifyJson, type Value, type ValueMap } from "../domain/Value.ts"
import { hasType } from "../language/document/InputDefinition.ts"
import type { OutputField, OutputFields } from "../language/document/OutputField.ts"
import { ValidationError } from "./EngineErrors.ts"
import { sameValue } from "./SameValue.ts"
import { searchPattern } from "./SearchPattern.ts"

const MAX_SHOWN = 200

/** What a value looks like, in a line: keys of a map, length of a list, the start of anything else. */
export const shapeOf = (value: Value): string => {
  if (isMap(value)) return `an object with keys [${Object.keys(value).join(", ")}]`
  if (isList(value)) return `a list of ${value.length}`
  const text = stringifyJson(value)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`
}

const codePoints = (text: string): number => Array.from(text).length

type Check = (field: OutputField, value: Value) => string | undefined

const checkEnum: Check = (field, value) =>
  field.enum === undefined || field.enum.some((allowed) => sameValue(allowed, value))
    ? undefined
    : `must be one of ${stringifyJson(field.enum)}`

const checkText: Check = (field, value) => {
  if (typeof value !== "string") return undefined
  const length = codePoints(value)
  if (field.minLength !== undefined && length < field.minLength)
    return `must have at least ${field.minLength} characters`
  if (field.maxLength !== undefined && length > field.maxLength)
    return `must have at most ${field.maxLength} characters`
  if (field.pattern === undefined) return undefined
  switch (searchPattern(field.pattern, value)) {
    case "found":
      return undefined
    case "absent":
      return `must match the pattern ${field.pattern}`
    case "too-slow":
      return `could not be matched with the pattern ${field.pattern} within a second; simplify the pattern`
  }
}

const checkRange: Check = (field, value) => {
  if (field.type !== "number") return undefined
  const number = Number(value)
  if (field.minimum !== undefined && number < field.minimum) return `must be at least ${field.minimum}`
  if (field.maximum !== undefined && number > field.maximum) return `must be at most ${field.maximum}`
  return undefined
}

const problem = (path: string, reason: string, value: Value): string =>
  `Output field '${path}' ${reason}, got ${shapeOf(value)}`

/** The first problem of a field, or of what is inside it. */
const fieldProblem = (field: OutputField, value: Value, path: string): string | undefined => {
  if (value === null) return field.nullable ? undefined : problem(path, `must be ${field.type}, not null`, value)
  if (!hasType(field.type, value)) return problem(path, `must be of type ${field.type}`, value)
  const reason = checkEnum(field, value) ?? checkText(field, value) ?? checkRange(field, value)
  if (reason !== undefined) return problem(path, reason, value)
  if (isMap(value) && field.properties !== undefined) return fieldsProblem(field.properties, value, `${path}.`)
  if (isList(value) && field.items !== undefined) {
    for (const [index, item] of value.entries()) {
      const found = fieldProblem(field.items, item, `${path}[${index}]`)
      if (found !== undefined) return found
    }
  }
  return undefined
}

const fieldsProblem = (fields: OutputFields, value: ValueMap, prefix: string): string | undefined => {
  for (const [name, field] of Object.entries(fields)) {
    const entry = get(value, name)
    if (entry === undefined) {
      if (field.required) return `Output field '${prefix}${name}' is missing, got ${shapeOf(value)}`
      continue
    }
    const found = fieldProblem(field, entry, `${prefix}${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

export const validateOutput = (
  step: string,
  fields: OutputFields,
  value: ValueMap
): Either.Either<ValueMap, ValidationError> => {
  const found = fieldsProblem(fields, value, "")
  return found === undefined
    ? Either.right(value)
    : Either.left(new ValidationError({ message: `Step '${step}': ${found}` }))
}
