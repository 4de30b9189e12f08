/** Applies a function to every text inside a value, keys too. Total: nesting that is too deep to show is cut off. */
import { isList, isMap, type Value, type ValueMap } from "../domain/Value.ts"

/** Deeper than any output that a person or a model reads, and far from the limit of the call stack. */
export const maxDepth = 64
const tooDeep = `[cut: nested deeper than ${maxDepth} levels]`

/** `key` is the map key that the text stands under, as it was before its own mapping. */
export type TextMapping = (text: string, key?: string) => string

const mapEntries = (map: ValueMap, mapping: TextMapping, depth: number): ValueMap => {
  const result = new Map<string, Value>()
  for (const [key, entry] of Object.entries(map)) {
    const wanted = mapping(key)
    let name = wanted
    // Two keys may become one, such as two secrets: both entries stay visible.
    for (let copy = 2; result.has(name); copy++) name = `${wanted} (${copy})`
    result.set(name, mapAt(entry, mapping, depth + 1, key))
  }
  return Object.fromEntries(result)
}

const mapAt = (value: Value, mapping: TextMapping, depth: number, key?: string): Value => {
  if (typeof value === "string") return mapping(value, key)
  if (!isList(value) && !isMap(value)) return value
  if (depth >= maxDepth) return tooDeep
  return isList(value) ? value.map((entry) => mapAt(entry, mapping, depth + 1, key)) : mapEntries(value, mapping, depth)
}

export const mapTexts = (value: Value, mapping: TextMapping): Value => mapAt(value, mapping, 0)
