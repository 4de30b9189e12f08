/**
 * How values become text: `show` is what `{{ value }}` prints, `quote` is what a value looks like inside a list.
 * Both follow the language the workflow format comes from, because authors compare and split that text.
 */
import { Float } from "../../domain/Value.ts"
import type { Budget } from "./Budget.ts"
import { Dict } from "./Dict.ts"
import { valueFault } from "./Fault.ts"
import { floatText } from "./FloatText.ts"
import { iterate } from "./Iteration.ts"
import { DictView, Generator, List, Markup, Range, type Runtime, Tuple, Undefined } from "./Runtime.ts"

const unprintable = /[\p{C}\p{Z}\\'"]/u
const escapes: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\\", "\\\\"]
])

const hexadecimal = (prefix: string, code: number, width: number): string =>
  `\\${prefix}${code.toString(16).padStart(width, "0")}`

const escapeCharacter = (character: string): string => {
  const known = escapes.get(character)
  if (known !== undefined) return known
  if (character === " " || !/[\p{C}\p{Z}]/u.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) return hexadecimal("x", code, 2)
  return code <= 0xffff ? hexadecimal("u", code, 4) : hexadecimal("U", code, 8)
}

const quoteText = (text: string): string => {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  if (!unprintable.test(text)) return mark + text + mark
  let body = ""
  for (const character of text) body += character === mark ? `\\${mark}` : escapeCharacter(character)
  return mark + body + mark
}

/** The host language of the format refuses to print longer integers. */
const mostDigits = 4300

const integerText = (value: bigint): string => {
  const text = value.toString()
  if (text.length > mostDigits + 1)
    throw valueFault(`Exceeds the limit (${mostDigits} digits) for integer string conversion`)
  return text
}

const scalarText = (value: null | boolean | number | bigint | Float): string => {
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value === "bigint") return integerText(value)
  if (value instanceof Float) return floatText(value.value)
  return Number.isInteger(value) ? String(value) : floatText(value)
}

const enclosed = (
  [open, close]: readonly [string, string],
  owner: object,
  inside: ReadonlyArray<object>,
  write: (within: ReadonlyArray<object>) => ReadonlyArray<string>
): string => {
  if (inside.includes(owner)) return `${open}...${close}`
  return open + write([...inside, owner]).join(", ") + close
}

const mapText = (dict: Dict, budget: Budget, inside: ReadonlyArray<object>): string =>
  enclosed(["{", "}"], dict, inside, (within) =>
    Array.from(dict.entries(), ([key, value]) => `${write(key, budget, within)}: ${write(value, budget, within)}`)
  )

const write = (value: Runtime, budget: Budget, inside: ReadonlyArray<object>): string => {
  budget.spend()
  budget.enter()
  const text = writeNested(value, budget, inside)
  budget.leave()
  budget.allocate(text.length)
  return text
}

const writeNested = (value: Runtime, budget: Budget, inside: ReadonlyArray<object>): string => {
  if (typeof value === "string") return quoteText(value)
  if (value === null || typeof value !== "object" || value instanceof Float) return scalarText(value)
  const all = (items: Iterable<Runtime>) => (within: ReadonlyArray<object>) =>
    Array.from(items, (item) => write(item, budget, within))
  if (value instanceof List) return enclosed(["[", "]"], value, inside, all(value.items))
  if (value instanceof Dict) return mapText(value, budget, inside)
  if (value instanceof Tuple) {
    return enclosed(["(", value.items.length === 1 ? ",)" : ")"], value, inside, all(value.items))
  }
  if (value instanceof Markup) return `Markup(${quoteText(value.text)})`
  if (value instanceof Undefined) return "Undefined"
  if (value instanceof DictView) return `dict_${value.kind}(${enclosed(["[", "]"], value, inside, all(value))})`
  if (value instanceof Range) {
    return `range(${value.start}, ${value.stop}${value.step === 1 ? "" : `, ${value.step}`})`
  }
  // Departure: a lazy result shows its items, where the reference shows an address in memory.
  if (value instanceof Generator) return enclosed(["[", "]"], value, inside, all(iterate(value, budget)))
  return value.text
}

export const quote = (value: Runtime, budget: Budget): string => write(value, budget, [])

export const show = (value: Runtime, budget: Budget): string => {
  if (typeof value === "string") return value
  if (value instanceof Markup) return value.text
  if (value instanceof Undefined) {
    if (value.mode === "strict") throw value.fault()
    return ""
  }
  return quote(value, budget)
}
