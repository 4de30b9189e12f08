/** Filters that make text from text. */
import { capitalize as capitalizeText } from "../expression/TextCase.ts"
import { cut, lengthOf, lines, strip } from "../expression/Characters.ts"
import { isTrue } from "../expression/Comparison.ts"
import { valueFault } from "../expression/Fault.ts"
import { escapeHtml } from "../expression/Html.ts"
import type { Values } from "../expression/Method.ts"
import { requireInteger } from "../expression/Numbers.ts"
import { center } from "../expression/Padding.ts"
import { percentFormat } from "../expression/PercentFormat.ts"
import { show } from "../expression/PythonText.ts"
import { Dict } from "../expression/Dict.ts"
import { Markup, type Runtime, Tuple, textOf, type Arguments } from "../expression/Runtime.ts"
import { stripCharacters } from "../expression/StringMethods.ts"
import { replaceAll } from "../expression/TextSplit.ts"
import { filter, type Filter, type Host, needText, textFilter } from "./Filter.ts"
import { wrapLine } from "./WordWrap.ts"

/** Words begin after white space, hyphens and opening brackets; unlike the method `title`, not after apostrophes. */
const title = (text: string): string =>
  text
    .split(/([-\s({[<]+)/)
    .map(capitalizeWord)
    .join("")

const capitalizeWord = (word: string): string => {
  const [first = ""] = word
  return first.toUpperCase() + word.slice(first.length).toLowerCase()
}

const isSet = (value: Runtime | undefined, fallback: boolean): boolean =>
  value === undefined ? fallback : isTrue(value)

const replace = (value: Runtime, [old, replacement, count]: Values, host: Host): Runtime => {
  const { budget, escaping } = host
  const most = requireInteger(count, -1, "count")
  const parts = [value, old ?? null, replacement ?? null]
  const isMarkup = escaping && parts.some((part) => part instanceof Markup)
  const [text = "", from = "", to = ""] = parts.map((part) => {
    const shown = show(part, budget)
    return isMarkup ? escapeHtml(part, shown) : shown
  })
  const replaced = replaceAll(text, { old: from, replacement: to, most }, budget)
  return isMarkup ? new Markup(replaced) : replaced
}

const indent = (text: string, [width, first, blank]: Values, host: Host): string => {
  const margin = textOf(width) ?? " ".repeat(checked(requireInteger(width, 4, "width"), host))
  const indentsBlank = isSet(blank, false)
  const all = lines(`${text}\n`)
  host.budget.allocate(text.length + all.length * margin.length)
  const indented = all
    .map((line, index) => (index > 0 && (indentsBlank || line !== "") ? margin + line : line))
    .join("\n")
  return isSet(first, false) ? margin + indented : indented
}

/** A width before it is built. */
const checked = (width: number, host: Host): number => {
  host.budget.allocate(Math.max(0, width))
  return Math.max(0, width)
}

interface Truncation {
  readonly length: number
  readonly killWords: boolean
  readonly end: string
  /** A text longer than `length` by no more than this stays whole. */
  readonly leeway: number
}

/** Cuts at a word unless told otherwise. */
const truncate = (text: string, { end, killWords, leeway, length }: Truncation): string => {
  const reserved = lengthOf(end)
  if (length < reserved) throw valueFault(`expected length >= ${reserved}, got ${length}`)
  if (leeway < 0) throw valueFault(`expected leeway >= 0, got ${leeway}`)
  if (lengthOf(text) <= length + leeway) return text
  const kept = cut(text, 0, length - reserved)
  if (killWords) return kept + end
  const blank = kept.lastIndexOf(" ")
  return (blank < 0 ? kept : kept.slice(0, blank)) + end
}

/** Takes values in order, or named ones; not both. */
const format: Filter = (value: Runtime, args: Arguments, { budget }) => {
  if (args.positional.length > 0 && args.named.size > 0) {
    throw valueFault("can't handle positional and keyword arguments at the same time")
  }
  const values = args.named.size > 0 ? Dict.of(args.named) : new Tuple(args.positional)
  const isMarkup = value instanceof Markup
  const text = percentFormat(show(value, budget), values, budget, isMarkup ? escapeHtml : (_, shown) => shown)
  return isMarkup ? new Markup(text) : text
}

export const textFilters: ReadonlyArray<readonly [string, Filter]> = [
  textFilter("upper", [], (text) => text.toUpperCase()),
  textFilter("lower", [], (text) => text.toLowerCase()),
  textFilter("capitalize", [], capitalizeText),
  textFilter("title", [], title),
  textFilter("trim", ["chars?"], (text, [chars]) =>
    chars === undefined || chars === null ? strip(text) : stripCharacters(text, needText(chars, "chars"), "both")
  ),
  textFilter("center", ["width?"], (text, [width], { budget }) =>
    center(text, requireInteger(width, 80, "width"), " ", budget)
  ),
  filter("wordcount", [], (value, _, { budget }) => show(value, budget).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  filter("replace", ["old", "new", "count?"], replace),
  filter("indent", ["width?", "first?", "blank?"], (value, values, host) => {
    const text = indent(needText(value, "value"), values, host)
    return value instanceof Markup ? new Markup(text) : text
  }),
  filter("truncate", ["length?", "killwords?", "end?", "leeway?"], (value, [length, kill, end, leeway]) => {
    const text = truncate(needText(value, "value"), {
      length: requireInteger(length, 255, "length"),
      killWords: isSet(kill, false),
      end: end === undefined ? "..." : needText(end, "end"),
      leeway: requireInteger(leeway, 5, "leeway")
    })
    return value instanceof Markup ? new Markup(text) : text
  }),
  filter(
    "wordwrap",
    ["width?", "break_long_words?", "wrapstring?", "break_on_hyphens?"],
    (value, [width, breakWords, mark, hyphens], { budget }) => {
      const options = {
        width: requireInteger(width, 79, "width"),
        breakLongWords: isSet(breakWords, true),
        breakOnHyphens: isSet(hyphens, true)
      }
      if (options.width <= 0) throw valueFault(`invalid width ${options.width} (must be > 0)`)
      const separator = mark === undefined || mark === null ? "\n" : needText(mark, "wrapstring")
      const text = needText(value, "value")
      budget.spend(text.length >> 3)
      const wrapped = lines(text)
        .map((line) => wrapLine(line, options).join(separator))
        .join(separator)
      budget.allocate(wrapped.length)
      return wrapped
    }
  ),
  ["format", format],
  filter("string", [], (value, _, { budget }) => (value instanceof Markup ? value : show(value, budget)))
]
