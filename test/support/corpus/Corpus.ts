/** Reads the files of the conformance corpus and compares values with its notation. */
import { readFileSync } from "node:fs"
import { Float, get, isList, isMap, parseJson, type Value, type ValueMap } from "../../../src/domain/Value.ts"

export const readCorpus = (path: string): Value => parseJson(readFileSync(path, "utf8"))

/** A file is a list of cases, or a map that holds one under `cases`. */
export const casesOf = (corpus: Value): ReadonlyArray<ValueMap> => {
  const cases = isMap(corpus) ? get(corpus, "cases") : corpus
  return cases !== undefined && isList(cases) ? cases.filter(isMap) : []
}

export const text = (entry: ValueMap, key: string): string | undefined => {
  const value = get(entry, key)
  return typeof value === "string" ? value : undefined
}

const specialNumbers: ReadonlyMap<Value, number> = new Map<Value, number>([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY]
])

/** `{"$number": "NaN"}` stands for a number that JSON does not have. */
export const decode = (value: Value): Value => {
  if (isList(value)) return value.map(decode)
  if (!isMap(value)) return value
  const special = specialNumbers.get(get(value, "$number") ?? null)
  if (special !== undefined) return special
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, decode(entry)]))
}

export const decodeMap = (value: Value | undefined): ValueMap => {
  const decoded = value === undefined ? {} : decode(value)
  return isMap(decoded) ? decoded : {}
}

/** With the kinds of numbers: 3 and 3.0 are different, NaN is equal to itself. The order of keys has no meaning. */
export const sameValue = (left: Value, right: Value): boolean => {
  if (left instanceof Float) return right instanceof Float && Object.is(left.value, right.value)
  if (isList(left))
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((item, index) => sameValue(item, right[index] ?? null))
    )
  if (!isMap(left)) return Object.is(left, right)
  if (!isMap(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key] ?? null, right[key] ?? null))
  )
}

/** The type names that the corpus uses. */
export const typeOf = (value: Value): string => {
  if (value === null) return "null"
  if (value instanceof Float) return "float"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float"
  if (typeof value === "bigint") return "integer"
  return isList(value) ? "array" : typeof value
}
