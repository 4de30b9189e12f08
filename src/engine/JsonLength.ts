/** How long a value is as JSON text, the measure of `context.max_tokens` (workflow language §4.6), without writing it. */
import { isList, isMap, stringifyJson, type Value } from "../domain/Value.ts"

/** Characters of the separators `, ` and `: `, which the reference writes. */
const SEPARATOR = 2
const BRACKETS = 2

/** Everything beyond ASCII is written as `\uXXXX`. */
const escaped = (text: string): number => JSON.stringify(text).length + 5 * (text.match(/[^\0-\x7f]/g)?.length ?? 0)

const joined = (lengths: ReadonlyArray<number>): number =>
  BRACKETS + Math.max(0, lengths.length - 1) * SEPARATOR + lengths.reduce((sum, length) => sum + length, 0)

/** What an entry adds to a map that is not empty, its separator included. */
export const entryLength = (name: string, value: Value): number => memberLength(name, value) + SEPARATOR

const memberLength = (name: string, value: Value): number => escaped(name) + SEPARATOR + jsonLength(value)

export const jsonLength = (value: Value): number => {
  if (typeof value === "string") return escaped(value)
  if (isList(value)) return joined(value.map(jsonLength))
  if (isMap(value)) return joined(Object.entries(value).map(([name, entry]) => memberLength(name, entry)))
  return stringifyJson(value).length
}
