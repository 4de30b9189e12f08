/**
 * How rendered text becomes a value. The workflow language has several algorithms for it (§3.4, §3.5); they differ on
 * purpose and are kept apart here, one function each.
 */
import { Either, Option, Schema } from "effect"
import { isList, isMap, type Value } from "../domain/Value.ts"
import { strip } from "./expression/Characters.ts"
import { parseFloatText, parseInteger } from "./expression/NumberText.ts"
import { parseLooseJson } from "./LooseJson.ts"
import { parseYamlValue } from "./yaml/YamlValue.ts"

/** Text that cannot be read as what is asked for. */
export class CoercionError extends Schema.TaggedError<CoercionError>()("CoercionError", {
  text: Schema.String,
  /** What was asked for: an output type, or what the text has to look like. */
  expected: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `Cannot read '${excerpt(this.text)}' as ${this.expected}: ${this.reason}`
  }
}

const excerpt = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}...`)

type Coerced = Either.Either<Value, CoercionError>

const fail = (text: string, expected: string, reason: string): Either.Either<never, CoercionError> =>
  Either.left(new CoercionError({ text, expected, reason }))

/** With a point a float, without one an integer: so `1e5`, `nan` and `inf` stay text. */
const pointNumber = (text: string): Value | undefined =>
  text.includes(".") ? parseFloatText(text) : parseInteger(text)

const printedConstants: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["True", true],
  ["False", false],
  ["None", null]
])

/** The final output, `output_template`, and the output of routes to `$end`. Text that is nothing else stays as it is. */
export const parseFinalOutput = (text: string): Value => {
  const stripped = strip(text)
  const constant = printedConstants.get(stripped)
  if (constant !== undefined) return constant
  if (/^[{["]/.test(stripped) || ["true", "false", "null"].includes(stripped)) {
    const json = parseLooseJson(stripped)
    if (Option.isSome(json)) return json.value
  }
  const number = pointNumber(stripped)
  return number === undefined ? text : number
}

/** `input_mapping` of sub-workflows: JSON or the text itself. */
export const parseMappedInput = (text: string): Value => Option.getOrElse(parseLooseJson(text), () => text)

const nullTexts = new Set(["null", "~", "Null", "NULL"])

/** `set` without an output type: YAML. Text that is no YAML, or empty by accident such as a comment, stays text. */
export const parseSetValue = (text: string): Coerced => {
  const stripped = strip(text)
  if (stripped === "") return Either.right("")
  const parsed = parseYamlValue(text)
  if (Either.isLeft(parsed)) {
    return parsed.left.kind === "key" ? fail(text, "a value", parsed.left.reason) : Either.right(text)
  }
  return Either.right(parsed.right === null && !nullTexts.has(stripped) ? text : parsed.right)
}

export type SetOutputType = "auto" | "string" | "number" | "integer" | "boolean" | "list" | "dict"

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "1", "yes", "y", "on"].map((text) => [text, true] as const),
  ...["false", "0", "no", "n", "off"].map((text) => [text, false] as const)
])

const collection = (text: string, expected: "list" | "dict"): Coerced => {
  const parsed = parseYamlValue(text)
  if (Either.isLeft(parsed)) return fail(text, expected, parsed.left.reason)
  const fits = expected === "list" ? isList(parsed.right) : isMap(parsed.right)
  return fits
    ? Either.right(parsed.right)
    : fail(text, expected, `the text is not a YAML ${expected === "list" ? "list" : "map"}`)
}

/** `set` with an `output_type`. */
export const parseSetTyped = (outputType: SetOutputType, text: string): Coerced => {
  switch (outputType) {
    case "auto":
      return parseSetValue(text)
    case "string":
      return Either.right(text)
    case "integer": {
      const whole = parseInteger(text)
      return whole === undefined ? fail(text, "integer", "write digits only, such as 42") : Either.right(whole)
    }
    case "number": {
      const number = parseInteger(text) ?? parseFloatText(text)
      return number === undefined ? fail(text, "number", "write a number such as 42 or 4.2") : Either.right(number)
    }
    case "boolean": {
      const truth = truths.get(strip(text).toLowerCase())
      return truth === undefined
        ? fail(text, "boolean", "write true or false (or 1, yes, y, on; 0, no, n, off)")
        : Either.right(truth)
    }
    case "list":
    case "dict":
      return collection(text, outputType)
  }
}

const cliConstants: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null]
])

/** The value of `--input name=value`. */
export const parseCliInput = (text: string): Value => {
  const stripped = strip(text)
  const constant = cliConstants.get(stripped.toLowerCase())
  if (constant !== undefined) return constant
  if (/^[{[]/.test(stripped)) return Option.getOrElse(parseLooseJson(stripped), () => stripped)
  const number = pointNumber(stripped)
  return number === undefined ? stripped : number
}

export interface CliFlag {
  readonly name: string
  readonly value: Value
}

/** The whole argument of `--input`. */
export const parseCliFlag = (argument: string): Either.Either<CliFlag, CoercionError> => {
  const equals = argument.indexOf("=")
  const name = strip(argument.slice(0, Math.max(0, equals)))
  if (name === "") return fail(argument, "name=value", "write the name of an input, '=' and its value")
  return Either.right({ name, value: parseCliInput(argument.slice(equals + 1)) })
}
