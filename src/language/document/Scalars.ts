/**
 * The scalars of the file format with the leniency of workflow language §1.1: text refuses numbers and booleans, numbers
 * accept numeric text and `true` for one, booleans accept the usual words.
 */
import { Either, ParseResult, Schema } from "effect"
import { Float, isList, isMap, type Value } from "../../domain/Value.ts"
import { describe } from "./Describe.ts"
import { YamlDate } from "../yaml/PlainScalar.ts"
import type { Raw } from "../yaml/YamlNode.ts"

const parsed = <A>(parse: (input: unknown) => Either.Either<A, string>): Schema.Schema<A, unknown> =>
  Schema.transformOrFail(Schema.Unknown, Schema.Unknown as Schema.Schema<A>, {
    strict: true,
    decode: (input, _options, ast) =>
      Either.mapLeft(
        parse(input),
        (expected) => new ParseResult.Type(ast, input, `${expected}, got ${describe(input)}`)
      ),
    encode: ParseResult.succeed
  })

export const Text = Schema.String

export const NonEmptyText = Text.pipe(
  Schema.filter((text) => (text === "" ? "expected text, got an empty string" : undefined))
)

export const NonBlankText = Text.pipe(
  Schema.filter((text) => (text.trim() === "" ? "expected text, got only blanks" : undefined))
)

export const Texts = Schema.Array(Text)

const NUMERIC = /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

const toNumber = (input: unknown): number | undefined => {
  if (typeof input === "number" || typeof input === "bigint") return Number(input)
  if (typeof input === "boolean") return input ? 1 : 0
  if (input instanceof Float) return input.value
  if (typeof input !== "string") return undefined
  const text = input.trim()
  return NUMERIC.test(text) ? Number(text.replaceAll("_", "")) : undefined
}

export interface Range {
  readonly min?: number
  readonly max?: number
  /** The value has to be greater than this one. */
  readonly above?: number
}

const within = (value: number, { above, max, min }: Range): boolean =>
  !Number.isNaN(value) && value >= (min ?? -Infinity) && value <= (max ?? Infinity) && value > (above ?? -Infinity)

const rangeText = ({ above, max, min }: Range): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  if (above !== undefined) return ` greater than ${above}`
  return max === undefined ? "" : ` of at most ${max}`
}

/** A whole number inside `range`. */
export const integer = (range: Range = {}) =>
  parsed((input) => {
    const value = toNumber(input)
    return value !== undefined && Number.isInteger(value) && within(value, range)
      ? Either.right(value)
      : Either.left(`expected an integer${rangeText(range)}`)
  })

/** Any number inside `range`. */
export const number = (range: Range = {}) =>
  parsed((input) => {
    const value = toNumber(input)
    return value !== undefined && within(value, range)
      ? Either.right(value)
      : Either.left(`expected a number${rangeText(range)}`)
  })

/** Seconds as a number, or text such as `500ms`, `2m` or a template; booleans are refused. */
export const DurationScalar: Schema.Schema<string | number, unknown> = parsed((input) => {
  if (input instanceof Float) return Either.right(input.value)
  return typeof input === "string" || typeof input === "number"
    ? Either.right(input)
    : Either.left("expected a duration such as 30s")
})

const TRUE_WORDS = new Set(["true", "yes", "on", "y", "t", "1"])
const FALSE_WORDS = new Set(["false", "no", "off", "n", "f", "0"])

export const Flag: Schema.Schema<boolean, unknown> = parsed((input) => {
  if (typeof input === "boolean") return Either.right(input)
  const word = typeof input === "string" ? input.toLowerCase() : String(toNumber(input))
  if (TRUE_WORDS.has(word)) return Either.right(true)
  return FALSE_WORDS.has(word) ? Either.right(false) : Either.left("expected true or false")
})

/** Plain data of any type; dates become their text. */
const rawToValue = (raw: Raw): Value => {
  if (raw instanceof YamlDate) return raw.text
  if (Array.isArray(raw)) return raw.map(rawToValue)
  if (isMap(raw as Value)) {
    return Object.fromEntries(
      Object.entries(raw as { readonly [key: string]: Raw }).map(([k, v]) => [k, rawToValue(v)])
    )
  }
  return raw as Value
}

/** A value of any type, with its number kind. Only YAML trees are decoded with it, so nothing else can come in. */
export const AnyValue: Schema.Schema<Value, unknown> = parsed((input) => Either.right(rawToValue(input as Raw)))

export const isScalarValue = (value: Value): boolean => !isList(value) && !isMap(value)
