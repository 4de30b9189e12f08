/**
 * Texts counted and cut by character (code point), as the workflow language does; JavaScript counts UTF-16 units.
 * Texts without surrogates, nearly all of them, take the short way.
 */
const surrogates = /[\uD800-\uDFFF]/

const isSimple = (text: string): boolean => !surrogates.test(text)

export const characters = (text: string): Array<string> => (isSimple(text) ? text.split("") : Array.from(text))

export const lengthOf = (text: string): number => {
  if (isSimple(text)) return text.length
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** The characters from `start` up to, not including, `end`; both counted from the front. */
export const cut = (text: string, start: number, end?: number): string =>
  isSimple(text) ? text.slice(start, Math.max(start, end ?? text.length)) : Array.from(text).slice(start, end).join("")

/** From a position in UTF-16 units to a position in characters. */
export const positionOf = (text: string, units: number): number => (units <= 0 ? units : lengthOf(text.slice(0, units)))

/** White space as the workflow language sees it: more than JavaScript's `\s` at the control characters. */
const whitespace = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"

const leading = new RegExp(`^[${whitespace}]+`)
const blank = new RegExp(`^[${whitespace}]$`)

export const isBlank = (character: string): boolean => blank.test(character)

export const stripStart = (text: string): string => text.replace(leading, "")

/** Backwards by hand: a pattern anchored at the end only is quadratic on long runs of white space. */
export const stripEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

export const strip = (text: string): string => stripEnd(stripStart(text))

/** Splits at runs of white space, without empty parts. */
export const words = (text: string): ReadonlyArray<string> => {
  const found = strip(text)
  return found === "" ? [] : found.split(new RegExp(`[${whitespace}]+`))
}

const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** The lines of a text; a line end at the very end opens no further line. */
export const lines = (text: string, ends: "keep" | "drop" = "drop"): Array<string> => {
  const found: Array<string> = []
  let start = 0
  for (const match of text.matchAll(lineEnd)) {
    const end = match.index + match[0].length
    found.push(text.slice(start, ends === "keep" ? end : match.index))
    start = end
  }
  if (start < text.length) found.push(text.slice(start))
  return found
}
