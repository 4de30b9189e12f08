/** The methods of texts. None changes anything; positions and widths count characters, not UTF-16 units. */
import { bind } from "./Arguments.ts"
import { braceFormat } from "./BraceFormat.ts"
import type { Budget } from "./Budget.ts"
import { lengthOf, lines, positionOf, strip, stripEnd, stripStart, characters } from "./Characters.ts"
import { isTrue } from "./Comparison.ts"
import { Dict } from "./Dict.ts"
import { typeFault, valueFault } from "./Fault.ts"
import { iterate } from "./Iteration.ts"
import { method, type MethodTable, requireText, variadic } from "./Method.ts"
import { requireInteger } from "./Numbers.ts"
import { center, pad } from "./Padding.ts"
import { List, type Runtime, textOf, Tuple } from "./Runtime.ts"
import { sliceOf } from "./Subscript.ts"
import { capitalize, classTests, swapcase, titlecase } from "./TextCase.ts"
import { replaceAll, split, splitAtBlanks } from "./TextSplit.ts"
import { typeName } from "./TypeName.ts"

const textArgument = (value: Runtime | undefined, what: string): string => {
  const text = textOf(value)
  if (text === undefined) throw typeFault(`${what} must be str, not ${typeName(value ?? null)}`)
  return text
}

/** The part of a text between optional bounds, and where it starts. */
const window = (text: string, start: Runtime | undefined, stop: Runtime | undefined, budget: Budget) => {
  if (start === undefined && stop === undefined) return { part: text, offset: 0 }
  const size = lengthOf(text)
  const from = requireInteger(start, 0, "start")
  const offset = Math.min(size, from < 0 ? Math.max(0, from + size) : from)
  return { part: textOf(sliceOf(text, { start, stop, step: undefined }, budget)) ?? "", offset }
}

const search = (name: string, find: (text: string, part: string) => number, missing: "fail" | "-1") =>
  method<string>(name, ["sub", "start?", "end?"], (text, [sub, start, stop], budget) => {
    const { offset, part } = window(text, start, stop, budget)
    const found = positionOf(part, find(part, textArgument(sub, "sub")))
    if (found < 0 && missing === "fail") throw valueFault("substring not found")
    return found < 0 ? -1 : found + offset
  })

const affix = (name: string, matches: (text: string, part: string) => boolean) =>
  method<string>(name, ["prefix", "start?", "end?"], (text, [prefix, start, stop], budget) => {
    const { part } = window(text, start, stop, budget)
    const candidates = prefix instanceof Tuple ? prefix.items : [prefix]
    return candidates.some((candidate) => matches(part, textArgument(candidate, `${name} argument`)))
  })

const stripping = (name: string, blanks: (text: string) => string, sides: "both" | "left" | "right") =>
  method<string>(name, ["chars?"], (text, [chars]) => {
    if (chars === undefined || chars === null) return blanks(text)
    return stripCharacters(text, textArgument(chars, `${name} arg`), sides)
  })

export const stripCharacters = (text: string, chars: string, sides: "both" | "left" | "right"): string => {
  const unwanted = new Set(characters(chars))
  const all = characters(text)
  let start = 0
  let end = all.length
  if (sides !== "right") while (start < end && unwanted.has(all[start] ?? "")) start += 1
  if (sides !== "left") while (end > start && unwanted.has(all[end - 1] ?? "")) end -= 1
  return all.slice(start, end).join("")
}

const justify = (name: string, fill: (text: string, width: number, fill: string, budget: Budget) => string) =>
  method<string>(name, ["width", "fillchar?"], (text, [width, fillchar], budget) => {
    const character = fillchar === undefined ? " " : textArgument(fillchar, "fill character")
    if (lengthOf(character) !== 1) throw typeFault("The fill character must be exactly one character long")
    return fill(text, requireInteger(width, 0, "width"), character, budget)
  })

const splitting = (name: string, from: "left" | "right") =>
  method<string>(name, ["sep?", "maxsplit?"], (text, [separator, limit], budget) => {
    const most = requireInteger(limit, -1, "maxsplit")
    const parts =
      separator === undefined || separator === null
        ? splitAtBlanks(text, most, from)
        : split(text, textArgument(separator, "sep"), most, from)
    budget.allocate(parts.length)
    budget.spend(parts.length)
    return List.of(parts)
  })

const partition = (name: string, from: "left" | "right") =>
  method<string>(name, ["sep"], (text, [separator]) => {
    const mark = textArgument(separator, "sep")
    if (mark === "") throw valueFault("empty separator")
    const at = from === "left" ? text.indexOf(mark) : text.lastIndexOf(mark)
    if (at < 0) return new Tuple(from === "left" ? [text, "", ""] : ["", "", text])
    return new Tuple([text.slice(0, at), mark, text.slice(at + mark.length)])
  })

const simple = (name: string, run: (text: string) => Runtime) => method<string>(name, [], (text) => run(text))

const zeroFill = (text: string, width: number, budget: Budget): string => {
  const sign = /^[+-]/.exec(text)?.[0] ?? ""
  return sign + pad(text.slice(sign.length), { width: width - sign.length, fill: "0", align: ">" }, budget)
}

const expandTabs = (text: string, size: number, budget: Budget): string => {
  let column = 0
  let expanded = ""
  for (const character of text) {
    if (character === "\t") {
      const blanks = size > 0 ? size - (column % size) : 0
      budget.allocate(blanks)
      expanded += " ".repeat(blanks)
      column += blanks
    } else {
      expanded += character
      column = character === "\n" || character === "\r" ? 0 : column + 1
    }
  }
  return expanded
}

const joined = (separator: string, items: Runtime, budget: Budget): string => {
  const parts: Array<string> = []
  for (const item of iterate(items, budget)) {
    const text = textOf(item)
    if (text === undefined) {
      throw typeFault(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`)
    }
    budget.allocate(text.length + separator.length)
    parts.push(text)
  }
  return parts.join(separator)
}

export const stringMethods: MethodTable<string> = new Map([
  simple("upper", (text) => text.toUpperCase()),
  simple("lower", (text) => text.toLowerCase()),
  simple("casefold", (text) => text.toUpperCase().toLowerCase()),
  simple("title", titlecase),
  simple("capitalize", capitalize),
  simple("swapcase", swapcase),
  ...Array.from(classTests, ([name, test]) => simple(name, test)),
  stripping("strip", strip, "both"),
  stripping("lstrip", stripStart, "left"),
  stripping("rstrip", stripEnd, "right"),
  splitting("split", "left"),
  splitting("rsplit", "right"),
  method("splitlines", ["keepends?"], (text, [keep], budget) => {
    const found = lines(text, keep !== undefined && isTrue(keep) ? "keep" : "drop")
    budget.spend(found.length)
    return List.of(found)
  }),
  partition("partition", "left"),
  partition("rpartition", "right"),
  method("replace", ["old", "new", "count?"], (text, [old, replacement, count], budget) =>
    replaceAll(
      text,
      {
        old: textArgument(old, "old"),
        replacement: textArgument(replacement, "new"),
        most: requireInteger(count, -1, "count")
      },
      budget
    )
  ),
  affix("startswith", (text, part) => text.startsWith(part)),
  affix("endswith", (text, part) => text.endsWith(part)),
  method("removeprefix", ["prefix"], (text, [prefix]) => {
    const part = textArgument(prefix, "prefix")
    return text.startsWith(part) ? text.slice(part.length) : text
  }),
  method("removesuffix", ["suffix"], (text, [suffix]) => {
    const part = textArgument(suffix, "suffix")
    return part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text
  }),
  search("find", (text, part) => text.indexOf(part), "-1"),
  search("rfind", (text, part) => text.lastIndexOf(part), "-1"),
  search("index", (text, part) => text.indexOf(part), "fail"),
  search("rindex", (text, part) => text.lastIndexOf(part), "fail"),
  method("count", ["sub", "start?", "end?"], (text, [sub, start, stop], budget) => {
    const { part } = window(text, start, stop, budget)
    const wanted = textArgument(sub, "sub")
    return wanted === "" ? lengthOf(part) + 1 : part.split(wanted).length - 1
  }),
  justify("center", center),
  justify("ljust", (text, width, fill, budget) => pad(text, { width, fill, align: "<" }, budget)),
  justify("rjust", (text, width, fill, budget) => pad(text, { width, fill, align: ">" }, budget)),
  method("zfill", ["width"], (text, [width], budget) => zeroFill(text, requireInteger(width, 0, "width"), budget)),
  method("expandtabs", ["tabsize?"], (text, [size], budget) =>
    expandTabs(text, requireInteger(size, 8, "tabsize"), budget)
  ),
  method("join", ["iterable"], (text, [items], budget) => joined(text, items ?? null, budget)),
  variadic("format", (text, args, budget) => braceFormat(text, args, budget)),
  variadic("format_map", (text, args, budget) => {
    const [mapping] = bind("format_map", ["mapping"], args)
    if (!(mapping instanceof Dict)) throw typeFault("format_map() expects a mapping")
    const named = new Map(Array.from(mapping.entries(), ([key, value]) => [requireText(key, "key"), value]))
    return braceFormat(text, { positional: [], named }, budget)
  })
])
