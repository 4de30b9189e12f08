/** Splits and replaces inside texts, with the limits the methods of the host language take. */
import type { Budget } from "./Budget.ts"
import { isBlank, lengthOf, stripEnd, stripStart, words } from "./Characters.ts"
import { valueFault } from "./Fault.ts"

/** `most` below zero: no limit. A limit keeps the rest of the text in the last (from the right: first) part. */
export const split = (text: string, separator: string, most: number, from: "left" | "right"): Array<string> => {
  if (separator === "") throw valueFault("empty separator")
  const parts = text.split(separator)
  if (most < 0 || parts.length - 1 <= most) return parts
  return from === "left"
    ? [...parts.slice(0, most), parts.slice(most).join(separator)]
    : [parts.slice(0, parts.length - most).join(separator), ...parts.slice(parts.length - most)]
}

export const splitAtBlanks = (text: string, most: number, from: "left" | "right"): Array<string> => {
  if (most < 0) return [...words(text)]
  const parts: Array<string> = []
  // Only the side that is split from is stripped: the rest keeps the blanks at its far end.
  let rest = from === "left" ? stripStart(text) : stripEnd(text)
  while (rest !== "" && parts.length < most) {
    const [part, remainder] = from === "left" ? firstWord(rest) : lastWord(rest)
    parts.push(part)
    rest = remainder
  }
  if (rest !== "") parts.push(rest)
  return from === "left" ? parts : parts.reverse()
}

const firstWord = (text: string): readonly [string, string] => {
  let end = 0
  while (end < text.length && !isBlank(text.charAt(end))) end += 1
  return [text.slice(0, end), stripStart(text.slice(end))]
}

const lastWord = (text: string): readonly [string, string] => {
  let start = text.length
  while (start > 0 && !isBlank(text.charAt(start - 1))) start -= 1
  return [text.slice(start), stripEnd(text.slice(0, start))]
}

const interleave = (text: string, insertion: string, most: number): string => {
  let result = ""
  let left = most < 0 ? Number.POSITIVE_INFINITY : most
  for (const character of text) {
    result += left > 0 ? insertion + character : character
    left -= 1
  }
  return left > 0 ? result + insertion : result
}

const occurrences = (text: string, part: string): number => {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1
  return count
}

export interface Replacement {
  readonly old: string
  readonly replacement: string
  /** Below zero: all. */
  readonly most: number
}

/** An empty text is found before every character and at the end. */
export const replaceAll = (text: string, { most, old, replacement }: Replacement, budget: Budget): string => {
  if (most === 0) return text
  const found = old === "" ? lengthOf(text) + 1 : occurrences(text, old)
  const times = most < 0 ? found : Math.min(found, most)
  budget.spend(times + (text.length >> 6))
  budget.allocate(text.length + times * Math.max(0, replacement.length - old.length))
  if (old === "") return interleave(text, replacement, most)
  if (times === found) return text.replaceAll(old, () => replacement)
  const parts = text.split(old)
  return [...parts.slice(0, times), parts.slice(times).join(old)].join(replacement)
}
