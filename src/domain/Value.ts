/**
 * The values that flow through a workflow: JSON, with the two number kinds that the workflow language can tell apart.
 *
 * `3` and `3.0` are different values there (`{{ x }}` prints `3` and `3.0`), and integers are unbounded, so:
 * - an integral `number` is an integer; a `number` with a fraction, NaN or an infinity is a float;
 * - `Float` holds a float whose value happens to be integral;
 * - a `bigint` is an integer outside the safe range.
 */
import { parse as parseLossless } from "lossless-json"

export class Float {
  constructor(readonly value: number) {}
  valueOf(): number {
    return this.value
  }
  toJSON(): number {
    return this.value
  }
}

export type Value = null | boolean | number | bigint | string | Float | ReadonlyArray<Value> | ValueMap

export interface ValueMap {
  readonly [key: string]: Value
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A float as a `Value`: boxed only when its value is integral, since a bare integral number means an integer. */
export const float = (value: number): number | Float => (Number.isInteger(value) ? new Float(value) : value)

/** An integer as a `Value`: a `number` inside the safe range, a `bigint` outside it. */
export const integer = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value

export const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

export const isMap = (value: Value): value is ValueMap =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float)

/** Own keys only: a workflow may use `constructor` or `toString` as a key, and must never reach the prototype. */
export const get = (map: ValueMap, key: string): Value | undefined => (Object.hasOwn(map, key) ? map[key] : undefined)

/** Of a number as JSON writes it. */
export const parseNumber = (text: string): Value => (/^-?\d+$/.test(text) ? integer(BigInt(text)) : float(Number(text)))

/** Levels of lists and maps that JSON text may have; the host language of the format gives up below a thousand. */
export const MAX_DEPTH = 500
/** What a run stores wraps values in a few records. */
const MAX_STORED_DEPTH = MAX_DEPTH + 100

/**
 * Looked at before anything recurses into the text: near the end of the stack V8 ends the process when it compiles a
 * regular expression, and no handler sees it. Since no value comes from deeper text, walkers of values need no bound.
 */
const isDeeperThan = (limit: number, text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString && character === "\\") index += 1
    else if (character === '"') inString = !inString
    else if (inString) continue
    else if (character === "[" || character === "{") depth += 1
    else if (character === "]" || character === "}") depth -= 1
    if (depth > limit) return true
  }
  return false
}

const read = (text: string, maxDepth: number, readNumber: (text: string) => Value): Value => {
  if (isDeeperThan(maxDepth, text)) throw new SyntaxError(`JSON is nested more than ${maxDepth} levels deep`)
  return parseLossless(text, undefined, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue
  }) as Value
}

/**
 * Parses JSON text and keeps the number kinds; of a repeated key the last value counts, as with `JSON.parse`.
 * Throws `SyntaxError`, also for text that is nested more than 500 levels deep.
 */
export const parseJson = (text: string): Value => read(text, MAX_DEPTH, parseNumber)

/** Like `parseJson` for a dialect of numbers; `readNumber` gets the text of one. */
export const parseJsonWith = (text: string, readNumber: (text: string) => Value): Value =>
  read(text, MAX_DEPTH, readNumber)

/** Like `parseJson` for what was written with `stringifyJson`, a value with whatever was stored around it. */
export const parseStoredJson = (text: string): Value => read(text, MAX_STORED_DEPTH, parseNumber)

const floatText = (value: number): string => {
  if (Object.is(value, -0)) return "-0.0"
  return Math.abs(value) < 1e16 ? `${value}.0` : value.toExponential()
}

const needsNumberKinds = (value: Value): boolean => {
  if (typeof value === "bigint" || value instanceof Float) return true
  if (isList(value)) return value.some(needsNumberKinds)
  return isMap(value) && Object.values(value).some(needsNumberKinds)
}

const write = (value: Value, indent: string, margin: string): string => {
  if (value instanceof Float) return floatText(value.value)
  if (typeof value === "bigint") return value.toString()
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  const inner = margin + indent
  const entries = isList(value)
    ? value.map((entry) => write(entry, indent, inner))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([key, entry]) => `${JSON.stringify(key)}:${indent === "" ? "" : " "}${write(entry, indent, inner)}`)
  const [open, close] = isList(value) ? "[]" : "{}"
  if (entries.length === 0) return `${open}${close}`
  return indent === ""
    ? `${open}${entries.join(",")}${close}`
    : `${open}\n${inner}${entries.join(`,\n${inner}`)}\n${margin}${close}`
}

/** Whether some number in it is one that JSON cannot write: NaN or an infinity. */
export const hasNonFinite = (value: Value): boolean => {
  if (typeof value === "number") return !Number.isFinite(value)
  if (isList(value)) return value.some(hasNonFinite)
  return isMap(value) && Object.values(value).some(hasNonFinite)
}

/** Writes JSON text that `parseJson` reads back with the same number kinds; NaN and infinities become null. */
export const stringifyJson = (value: Value, space = 0): string =>
  needsNumberKinds(value) ? write(value, " ".repeat(space), "") : JSON.stringify(value, undefined, space)

/** Plain JSON for a reader that knows one number type: the kind of an integral float is lost, nothing else. */
export const toJson = (value: Value): Json => {
  if (value instanceof Float) return value.value
  if (typeof value === "bigint") return Number(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (isList(value)) return value.map(toJson)
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry)]))
  return value
}
