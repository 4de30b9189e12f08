/** Filters that make text from text. */
import { capitalize as capitalizeText } from "../expression/TextCase.ts"
import { cut, lengthOf, lines, strip } from "../expression/Characters.ts"
import { isTrue } from "../expression/Comparison.ts"
import { valueFault } from "../expression/Fault.ts"
import { escapeHtml } from "../expression/Html.ts"
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

const isSet = (value: Runtime | undefined, fallback: boolean): boolean => (value === undefined ? fallback : isTrue(value))

const replace = (value: Runtime, old: Runtime, replacement: Runtime, count: Runtime | undefined, host: Host): Runtime => {
  const { budget } = host
  const limit = requireInteger(count, -1, "count")
  const text = show(value, budget)
  const [from, to] = [show(old, budget), show(replacement, budget)]
  if (!host.escaping) return replaceAll(text, from, to, limit, budget)
  const isMarkup = value instanceof Markup || old instanceof Markup || replacement instanceof Markup
  if (!isMarkup) return replaceAll(text, from, to, limit, budget)
  return new Markup(
    replaceAll(escapeHtml(value, text), escapeHtml(old, from), escapeHtml(replacement, to), limit, budget)
  )
}

const indent = (text: string, width: Runtime | undefined, first: boolean, blank: boolean, host: Host): string => {
  const margin = textOf(width) ?? " ".repeat(checked(requireInteger(width, 4, "width"), host))
  const all = lines(`${text}\n`)
  host.budget.allocate(text.length + all.length * margin.length)
  const indented = all.map((line, index) => (index > 0 && (blank || line !== "") ? margin + line : line)).join("\n")
  return first ? margin + indented : indented
}

/** A width before it is built. */
const checked = (width: number, host: Host): number => {
  host.budget.allocate(Math.max(0, width))
  return Math.max(0, width)
}

/** Cuts at a word unless told otherwise; a text only a little too long (`leeway`) stays whole. */
const truncate = (text: string, length: number, killWords: boolean, end: string, leeway: number): string => {
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
  textFilter("center", ["width?"], (text, [width], { budget }) => center(text, requireInteger(width, 80, "width"), " ", budget)),
  filter("wordcount", [], (value, _, { budget }) => show(value, budget).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
  filter("replace", ["old", "new", "count?"], (value, [old, replacement, count], host) =>
    replace(value, old ?? null, replacement ?? null, count, host)
  ),
  filter("indent", ["width?", "first?", "blank?"], (value, [width, first, blank], host) => {
    const text = indent(needText(value, "value"), width, isSet(first, false), isSet(blank, false), host)
    return value instanceof Markup ? new Markup(text) : text
  }),
  filter("truncate", ["length?", "killwords?", "end?", "leeway?"], (value, [length, kill, end, leeway]) => {
    const text = truncate(
      needText(value, "value"),
      requireInteger(length, 255, "length"),
      isSet(kill, false),
      end === undefined ? "..." : needText(end, "end"),
      requireInteger(leeway, 5, "leeway")
    )
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
      const wrapped = lines(text).map((line) => wrapLine(line, options).join(separator)).join(separator)
      budget.allocate(wrapped.length)
      return wrapped
    }
  ),
  ["format", format],
  filter("string", [], (value, _, { budget }) => (value instanceof Markup ? value : show(value, budget)))
]
