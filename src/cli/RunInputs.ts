/** From `-i name=value` and `--input-json` to the inputs of a run, checked against what the workflow declares. */
import { Either } from "effect"
import { get, isList, isMap, parseJson, type Value, type ValueMap } from "../domain/Value.ts"
import { parseCliInput } from "../language/Coercion.ts"
import { hasType, type InputDefinition, type InputDefinitions } from "../language/document/InputDefinition.ts"
import { nearest } from "../domain/NearMatch.ts"

export interface GivenInputs {
  /** `name=value` texts. */
  readonly texts: ReadonlyArray<string>
  /** `name=<json>` texts, or whole JSON objects. */
  readonly jsons: ReadonlyArray<string>
}

type Parsed = Either.Either<ReadonlyArray<readonly [name: string, value: Value]>, string>

const json = (text: string): Either.Either<Value, string> =>
  Either.try({ try: () => parseJson(text), catch: (cause) => (cause instanceof Error ? cause.message : String(cause)) })

/** A declared text stays the text that was typed: `-i version=1.10` must not become the number 1.1. */
const parseText =
  (declared: InputDefinitions) =>
  (text: string): Parsed => {
    const at = text.indexOf("=")
    if (at < 1) return Either.left(`-i ${text}: write it as name=value`)
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1)]
    const isText = Object.hasOwn(declared, name) && declared[name]?.type === "string"
    return Either.right([[name, isText ? value : parseCliInput(value)]])
  }

const parseJsonOption = (text: string): Parsed => {
  if (text.trimStart().startsWith("{")) {
    return Either.match(json(text), {
      onLeft: (reason) => Either.left(`--input-json: not JSON: ${reason}`),
      onRight: (value) =>
        isMap(value) ? Either.right(Object.entries(value)) : Either.left("--input-json: the JSON must be an object")
    })
  }
  const at = text.indexOf("=")
  if (at < 1) return Either.left(`--input-json ${text}: write it as name=<json> or as one JSON object`)
  return Either.mapBoth(json(text.slice(at + 1)), {
    onLeft: (reason) => `--input-json ${text.slice(0, at)}: not JSON: ${reason}`,
    onRight: (value) => [[text.slice(0, at).trim(), value]] as const
  })
}

const describe = (name: string, { description, type }: InputDefinition): string =>
  `  -i ${name}=<${type}>${description === undefined ? "" : `  ${description}`}`

const kindOf = (value: Value): string => {
  if (isList(value)) return "array"
  if (isMap(value)) return "object"
  return typeof value === "string" || typeof value === "boolean" ? typeof value : "number"
}

/** All at once: what is missing and what is of another type. */
const problemsOf = (declared: InputDefinitions, inputs: ValueMap): ReadonlyArray<string> =>
  Object.entries(declared).flatMap(([name, input]) => {
    const value = get(inputs, name)
    if (value === undefined) {
      return input.required && input.default === undefined ? [`missing input '${name}'\n${describe(name, input)}`] : []
    }
    return value === null || hasType(input.type, value)
      ? []
      : [`input '${name}' must be of type ${input.type}, not ${kindOf(value)}`]
  })

/** The reference passes on what a workflow does not declare, and some workflows read it; so it is said, not refused. */
const notesOf = (declared: InputDefinitions, inputs: ValueMap): ReadonlyArray<string> =>
  Object.keys(inputs)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => {
      const near = nearest(name, Object.keys(declared))
      const hint = near === undefined ? "" : ` (did you mean '${near}'?)`
      return `the workflow does not declare an input '${name}'${hint}`
    })

/** Left: the problems, in words. Right: the inputs, with notes for the person who typed them. */
export const runInputs = (
  declared: InputDefinitions,
  given: GivenInputs
): Either.Either<{ readonly inputs: ValueMap; readonly notes: ReadonlyArray<string> }, ReadonlyArray<string>> => {
  const parsed = [...given.texts.map(parseText(declared)), ...given.jsons.map(parseJsonOption)]
  const faults = parsed.flatMap((entry) => (Either.isLeft(entry) ? [entry.left] : []))
  if (faults.length > 0) return Either.left(faults)
  const inputs = Object.fromEntries(parsed.flatMap((entry) => (Either.isRight(entry) ? entry.right : [])))
  const problems = problemsOf(declared, inputs)
  const notes = notesOf(declared, inputs)
  return problems.length === 0 ? Either.right({ inputs, notes }) : Either.left([...problems, ...notes])
}
