/** `pprint`: values as source text with sorted keys, broken over lines when they do not fit in 80 columns. */
import type { Budget } from "../expression/Budget.ts"
import { compare } from "../expression/Comparison.ts"
import { Dict } from "../expression/Dict.ts"
import { Fault } from "../expression/Fault.ts"
import { quote } from "../expression/PythonText.ts"
import { List, type Runtime, Tuple } from "../expression/Runtime.ts"
import { sorted } from "../expression/Sorting.ts"

const columns = 80

/** Keys without an order among them stay as they are. */
const sortedEntries = (dict: Dict, budget: Budget): ReadonlyArray<[Runtime, Runtime]> => {
  const entries = Array.from(dict.entries())
  try {
    return sorted(entries, ([left], [right]) => compare(left, right, "<", budget))
  } catch (cause) {
    if (cause instanceof Fault && cause.kind === "type") return entries
    throw cause
  }
}

const withSortedKeys = (value: Runtime, budget: Budget): Runtime => {
  budget.spend()
  budget.enter()
  const result = sortedInside(value, budget)
  budget.leave()
  return result
}

const sortedInside = (value: Runtime, budget: Budget): Runtime => {
  if (value instanceof List) return List.of(value.items.map((item) => withSortedKeys(item, budget)))
  if (value instanceof Tuple) return new Tuple(value.items.map((item) => withSortedKeys(item, budget)))
  if (!(value instanceof Dict)) return value
  return Dict.of(sortedEntries(value, budget).map(([key, entry]) => [key, withSortedKeys(entry, budget)] as const))
}

/** `indent` columns are taken on the left, `allowance` on the right of the last line. */
const write = (value: Runtime, indent: number, allowance: number, budget: Budget): string => {
  budget.enter()
  const flat = quote(value, budget)
  const text = flat.length <= columns - indent - allowance ? flat : (broken(value, indent, allowance, budget) ?? flat)
  budget.leave()
  return text
}

const broken = (value: Runtime, indent: number, allowance: number, budget: Budget): string | undefined => {
  const margin = `,\n${" ".repeat(indent + 1)}`
  const isLast = (index: number, size: number) => (index === size - 1 ? allowance + 1 : 1)
  if (value instanceof Dict) {
    const entries = Array.from(value.entries(), ([key, entry], index) => {
      const label = `${quote(key, budget)}: `
      return label + write(entry, indent + 1 + label.length, isLast(index, value.size), budget)
    })
    return `{${entries.join(margin)}}`
  }
  if (!(value instanceof List || value instanceof Tuple)) return undefined
  const { items } = value
  const parts = items.map((item, index) => write(item, indent + 1, isLast(index, items.length), budget))
  if (value instanceof List) return `[${parts.join(margin)}]`
  return `(${parts.join(margin)}${parts.length === 1 ? "," : ""})`
}

export const prettyText = (value: Runtime, budget: Budget): string => write(withSortedKeys(value, budget), 0, 0, budget)
