/** `tojson` (Jinja's own: sorted keys, safe inside HTML) and `json` (the workflow language's: keys in order, indented). */
import { Float } from "../../domain/Value.ts"
import type { Budget } from "../expression/Budget.ts"
import { compare } from "../expression/Comparison.ts"
import { Dict } from "../expression/Dict.ts"
import { typeFault, valueFault } from "../expression/Fault.ts"
import { floatText } from "../expression/FloatText.ts"
import { requireInteger } from "../expression/Numbers.ts"
import { show } from "../expression/PythonText.ts"
import { List, Markup, type Runtime, textOf, Tuple } from "../expression/Runtime.ts"
import { sorted } from "../expression/Sorting.ts"
import { typeName } from "../expression/TypeName.ts"
import { filter, type Filter } from "./Filter.ts"

interface Style {
  readonly keys: "sorted" | "as given"
  /** `undefined`: all on one line. */
  readonly indent: string | undefined
  /** What becomes of values that JSON does not have. */
  readonly others: "fail" | "as text"
  readonly budget: Budget
}

/** Everything outside printable ASCII is escaped. */
const quoteJson = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const numberText = (value: number): string => {
  if (Number.isNaN(value)) return "NaN"
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity"
  return Number.isInteger(value) ? String(value) : floatText(value)
}

const floatJson = (value: number): string => (Number.isFinite(value) ? floatText(value) : numberText(value))

const scalar = (value: Runtime): string | undefined => {
  if (value === null || typeof value === "boolean") return String(value)
  if (typeof value === "number") return numberText(value)
  if (typeof value === "bigint") return value.toString()
  if (value instanceof Float) return floatJson(value.value)
  return undefined
}

const keyText = (key: Runtime): string => {
  const text = textOf(key) ?? scalar(key)
  if (text === undefined) throw typeFault(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
  return text
}

const entriesOf = (dict: Dict, { budget, keys }: Style): ReadonlyArray<readonly [Runtime, Runtime]> => {
  const entries = Array.from(dict.entries())
  return keys === "as given" ? entries : sorted(entries, ([left], [right]) => compare(left, right, "<", budget))
}

const enclosed = (
  [open, close]: readonly [string, string],
  parts: ReadonlyArray<string>,
  indent: string | undefined,
  margin: string
): string => {
  if (parts.length === 0) return open + close
  if (indent === undefined) return open + parts.join(", ") + close
  const inner = `\n${margin}${indent}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${margin}${close}`
}

const write = (value: Runtime, style: Style, margin: string, inside: ReadonlyArray<object>): string => {
  style.budget.spend()
  style.budget.enter()
  const text = writeNested(value, style, margin, inside)
  style.budget.leave()
  style.budget.allocate(text.length)
  return text
}

const writeNested = (value: Runtime, style: Style, margin: string, inside: ReadonlyArray<object>): string => {
  const text = textOf(value)
  if (text !== undefined) return quoteJson(text)
  const plain = scalar(value)
  if (plain !== undefined) return plain
  const deeper = margin + (style.indent ?? "")
  const isContainer = value instanceof List || value instanceof Tuple || value instanceof Dict
  if (isContainer && inside.includes(value)) throw valueFault("Circular reference detected")
  if (value instanceof List || value instanceof Tuple) {
    const parts = value.items.map((item) => write(item, style, deeper, [...inside, value]))
    return enclosed(["[", "]"], parts, style.indent, margin)
  }
  if (value instanceof Dict) {
    const parts = entriesOf(value, style).map(
      ([key, entry]) => `${quoteJson(keyText(key))}: ${write(entry, style, deeper, [...inside, value])}`
    )
    return enclosed(["{", "}"], parts, style.indent, margin)
  }
  if (style.others === "as text") return quoteJson(show(value, style.budget))
  throw typeFault(`Object of type ${typeName(value)} is not JSON serializable`)
}

const indentOf = (indent: Runtime | undefined, fallback: string | undefined, budget: Budget): string | undefined => {
  if (indent === undefined) return fallback
  if (indent === null) return undefined
  const width = textOf(indent) ?? requireInteger(indent, 0, "indent")
  if (typeof width === "string") return width
  budget.allocate(Math.max(0, width))
  return " ".repeat(Math.max(0, width))
}

const unsafe: ReadonlyMap<string, string> = new Map([
  ["<", "\\u003c"],
  [">", "\\u003e"],
  ["&", "\\u0026"],
  ["'", "\\u0027"]
])

export const jsonFilters: ReadonlyArray<readonly [string, Filter]> = [
  filter("tojson", ["indent?"], (value, [indent], { budget }) => {
    const style: Style = { keys: "sorted", indent: indentOf(indent, undefined, budget), others: "fail", budget }
    return new Markup(write(value, style, "", []).replace(/[<>&']/g, (character) => unsafe.get(character) ?? ""))
  }),
  filter("json", ["indent?"], (value, [indent], { budget }) =>
    write(value, { keys: "as given", indent: indentOf(indent, "  ", budget), others: "as text", budget }, "", [])
  )
]
