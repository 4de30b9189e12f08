/** Number and string literals, written alike in templates and conditions. */
import { float, integer } from "../../domain/Value.ts"
import { Fault } from "./Fault.ts"
import type { Runtime } from "./Runtime.ts"

/** Sticky: to be matched at a position. A float needs a point between digits or an exponent. */
export const floatLiteral = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy
export const integerLiteral = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy

export const floatValue = (text: string): Runtime => float(Number(text.replaceAll("_", "")))

export const integerValue = (text: string): Runtime => {
  const digits = text.replaceAll("_", "").toLowerCase()
  if (digits.length > 4300) throw new Fault("syntax", "an integer literal of more than 4300 digits")
  return integer(BigInt(digits))
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"]
])

/** How many hexadecimal digits follow. */
const widths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8]
])

const unescapeOne = (escape: string): string => {
  const mark = escape.charAt(1)
  const width = widths.get(mark)
  if (/[0-7]/.test(mark)) return String.fromCodePoint(Number.parseInt(escape.slice(1), 8))
  if (mark === "N" && escape.length > 2) {
    throw new Fault("syntax", "character names (\\N{...}) are not supported in strings")
  }
  if (width === undefined) return simpleEscapes.get(mark) ?? escape
  const code = Number.parseInt(escape.slice(2), 16)
  if (escape.length !== width + 2 || code > 0x10ffff) {
    throw new Fault("syntax", `truncated or illegal \\${mark} escape in a string`)
  }
  return String.fromCodePoint(code)
}

/** An unknown escape stays as it is written. */
export const unescape = (body: string): string =>
  body.replace(/\\(?:[0-7]{1,3}|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|N\{[^}]*\}|[\s\S])/g, unescapeOne)

export const nameLiteral = /[\p{XID_Start}_][\p{XID_Continue}]*/uy
