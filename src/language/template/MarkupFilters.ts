/** Filters for HTML and URLs. */
import { Dict } from "../expression/Dict.ts"
import { typeFault, valueFault } from "../expression/Fault.ts"
import { isTrue } from "../expression/Comparison.ts"
import { escapeHtml, escapeText } from "../expression/Html.ts"
import { collect, isIterable } from "../expression/Iteration.ts"
import { requireInteger } from "../expression/Numbers.ts"
import { show } from "../expression/PythonText.ts"
import { Markup, type Runtime, textOf, Undefined } from "../expression/Runtime.ts"
import { words } from "../expression/Characters.ts"
import { typeName } from "../expression/TypeName.ts"
import { filter, type Filter, type Host, needText } from "./Filter.ts"
import { urlize } from "./Urlize.ts"

const percentEncode = (value: Runtime, keep: "slashes" | "nothing", host: Host): string => {
  const text = show(value, host.budget)
  if (!text.isWellFormed()) throw valueFault("a text with half a surrogate pair cannot be encoded")
  const encoded = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return keep === "slashes" ? encoded.replaceAll("%2F", "/") : encoded.replaceAll("%20", "+")
}

const urlEncode = (value: Runtime, host: Host): string => {
  if (textOf(value) !== undefined || !isIterable(value)) return percentEncode(value, "slashes", host)
  const pairs =
    value instanceof Dict
      ? Array.from(value.entries())
      : collect(value, host.budget).map((item) => collect(item, host.budget))
  return pairs
    .map(([key, entry, ...rest]) => {
      if (key === undefined || entry === undefined || rest.length > 0) throw valueFault("urlencode needs pairs")
      return `${percentEncode(key, "nothing", host)}=${percentEncode(entry, "nothing", host)}`
    })
    .join("&")
}

const attributes = (value: Runtime, autospace: boolean, host: Host): Runtime => {
  if (value instanceof Undefined) throw value.fault()
  if (!(value instanceof Dict)) throw typeFault(`'${typeName(value)}' object has no attribute 'items'`)
  const written: Array<string> = []
  for (const [key, entry] of value.entries()) {
    if (entry === null || entry instanceof Undefined) continue
    const name = needText(key, "an attribute name")
    if (/[\s/>=]/.test(name)) throw valueFault(`Invalid character in attribute name: '${name}'`)
    written.push(`${escapeHtml(key, name)}="${escapeHtml(entry, show(entry, host.budget))}"`)
  }
  const text = (autospace && written.length > 0 ? " " : "") + written.join(" ")
  return host.escaping ? new Markup(text) : text
}

const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
  ["copy", "\u00a9"],
  ["reg", "\u00ae"],
  ["hellip", "\u2026"],
  ["mdash", "\u2014"],
  ["ndash", "\u2013"],
  ["laquo", "\u00ab"],
  ["raquo", "\u00bb"],
  ["euro", "\u20ac"]
])

const character = (code: number, original: string): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : original

const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (original, hexadecimal, decimal, name) => {
    if (hexadecimal !== undefined) return character(Number.parseInt(hexadecimal, 16), original)
    if (decimal !== undefined) return character(Number(decimal), original)
    return entities.get(name) ?? original
  })

/** Cuts out everything from `open` to the next `close`, in one pass. */
const without = (text: string, open: string, close: string): string => {
  let kept = ""
  let position = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, position)) {
    const end = text.indexOf(close, start)
    if (end < 0) break
    kept += text.slice(position, start)
    position = end + close.length
  }
  return kept + text.slice(position)
}

/** Comments and tags go, runs of white space become one blank, entities become characters. */
const stripTags = (text: string): string =>
  unescapeHtml(words(without(without(text, "<!--", "-->"), "<", ">")).join(" "))

export const markupFilters: ReadonlyArray<readonly [string, Filter]> = [
  ...["e", "escape"].map((name) =>
    filter(name, [], (value, _, { budget }) => new Markup(escapeHtml(value, show(value, budget))))
  ),
  filter("forceescape", [], (value, _, { budget }) => new Markup(escapeText(show(value, budget)))),
  filter("safe", [], (value, _, { budget }) => new Markup(show(value, budget))),
  filter("striptags", [], (value, _, { budget }) => stripTags(show(value, budget))),
  filter("urlencode", [], (value, _, host) => urlEncode(value, host)),
  filter("xmlattr", ["autospace?"], (value, [autospace], host) =>
    attributes(value, autospace === undefined || isTrue(autospace), host)
  ),
  filter(
    "urlize",
    ["trim_url_limit?", "nofollow?", "target?", "rel?", "extra_schemes?"],
    (value, [limit, nofollow, target, rel, schemes], host) => {
      const linked = urlize(needText(value, "value"), {
        limit: limit === undefined || limit === null ? undefined : requireInteger(limit, 0, "trim_url_limit"),
        target: textOf(target),
        relations: [...words(textOf(rel) ?? ""), ...(nofollow !== undefined && isTrue(nofollow) ? ["nofollow"] : [])],
        schemes:
          schemes === undefined || schemes === null
            ? []
            : collect(schemes, host.budget).map((scheme) => needText(scheme, "scheme"))
      })
      host.budget.allocate(linked.length)
      return host.escaping ? new Markup(linked) : linked
    }
  )
]
