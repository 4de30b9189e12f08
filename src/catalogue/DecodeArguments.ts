/**
 * The validator of the schemas that `ToolInputSchema` publishes: accepts what they accept, and nothing else. Names all
 * problems at once, so that a model can repair its call in one turn, and never repeats a value that it was given.
 */
import { Either, Schema } from "effect"
import { Float, type Value, type ValueMap } from "../domain/Value.ts"
import { didYouMean } from "../language/Suggestion.ts"
import type { CatalogueEntry } from "./CatalogueEntry.ts"
import { inputOf, WAIT_SECONDS } from "./ParameterNames.ts"
import { isObject, kindOf, mismatch, typeName } from "./SchemaMismatch.ts"

export class ArgumentsError extends Schema.TaggedError<ArgumentsError>()("ArgumentsError", {
  tool: Schema.String,
  problems: Schema.NonEmptyArray(
    Schema.Struct({
      /** Absent when the arguments as a whole are at fault. */
      parameter: Schema.optionalWith(Schema.String, { exact: true }),
      /** A whole sentence: what is wrong and what is right. */
      message: Schema.String
    })
  )
}) {
  override get message(): string {
    return `The arguments do not fit ${this.tool}: ${this.problems.map(({ message }) => message).join(" ")}`
  }
}

type Problem = ArgumentsError["problems"][number]

export interface Arguments {
  /** By the names that the workflow uses. Defaults are not filled in: that is the run's business. */
  readonly inputs: ValueMap
  /** Absent when not given. */
  readonly waitSeconds?: number
}

/** Deeper values would exhaust the stack of whoever walks them. The one thing that the schema allows and this does not. */
const MAX_DEPTH = 256

/** `undefined` when some part of the value is no JSON or is nested too deeply. Doubles beyond 2^53 are floats, not integers. */
const valueOf = (json: unknown, depth = 0): Value | undefined => {
  if (depth > MAX_DEPTH) return undefined
  if (json === null || typeof json === "string" || typeof json === "boolean") return json
  if (typeof json === "number") return Number.isInteger(json) && !Number.isSafeInteger(json) ? new Float(json) : json
  if (Array.isArray(json)) {
    const elements = json.map((element) => valueOf(element, depth + 1))
    return elements.every((element) => element !== undefined) ? elements : undefined
  }
  if (!isObject(json)) return undefined
  const entries = Object.entries(json).map(([key, value]) => [key, valueOf(value, depth + 1)] as const)
  const known = entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined)
  return known.length === entries.length ? Object.fromEntries(known) : undefined
}

const read = (entry: CatalogueEntry) => {
  const { additionalProperties, properties, required } = entry.inputSchema
  return {
    open: additionalProperties === true,
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.map(String) : []
  }
}

const unknownParameter = (name: string, known: ReadonlyArray<string>): Problem => ({
  parameter: name,
  message: `'${name}' is not a parameter; ${didYouMean(name, known) ?? `the parameters are ${known.join(", ")}.`}`
})

/**
 * The inputs of a run from the arguments of a call; absent arguments are none. `null` for an optional parameter
 * counts as not given, since models write it so.
 */
export const decodeArguments = (entry: CatalogueEntry, args: unknown): Either.Either<Arguments, ArgumentsError> => {
  const { open, properties, required } = read(entry)
  const given = args ?? {}
  if (!isObject(given)) {
    const message = `They must be an object of parameters, not ${kindOf(given)}.`
    return Either.left(new ArgumentsError({ tool: entry.tool, problems: [{ message }] }))
  }
  const problems: Array<Problem> = []
  const inputs: Array<readonly [string, Value]> = []
  let waitSeconds: number | undefined
  for (const [parameter, json] of Object.entries(given)) {
    const known = Object.hasOwn(properties, parameter)
    if (!known && !open) {
      problems.push(unknownParameter(parameter, Object.keys(properties)))
      continue
    }
    if (json === null || json === undefined) continue
    const reason = known ? mismatch(properties[parameter], json) : undefined
    const value = valueOf(json)
    if (reason !== undefined) {
      problems.push({ parameter, message: `'${parameter}' ${reason}.` })
    } else if (value === undefined) {
      problems.push({ parameter, message: `'${parameter}' is nested deeper than ${MAX_DEPTH} levels; flatten it.` })
    } else if (parameter === WAIT_SECONDS) {
      waitSeconds = Number(json)
    } else {
      inputs.push([inputOf(entry.parameters, parameter), value])
    }
  }
  for (const parameter of required) {
    if (Object.hasOwn(given, parameter) && given[parameter] !== null && given[parameter] !== undefined) continue
    const type = typeName(properties[parameter])
    problems.push({ parameter, message: `'${parameter}' is required (${type}) and was not given.` })
  }
  const [first, ...others] = problems
  if (first !== undefined) return Either.left(new ArgumentsError({ tool: entry.tool, problems: [first, ...others] }))
  return Either.right({ inputs: Object.fromEntries(inputs), ...(waitSeconds === undefined ? {} : { waitSeconds }) })
}
