/** Upper, lower and title case of texts, and the tests that ask what characters a text is made of. */
import { lazily } from "../../domain/Lazily.ts"
import { isBlank } from "./Characters.ts"

const cased = lazily(() => /[\p{Uppercase}\p{Lowercase}\p{Lt}]/u)

/** The letters that have a title case of their own: the digraphs of Latin Extended-B, and n with an apostrophe. */
const titleForms: ReadonlyMap<string, string> = new Map([
  ["\u0149", "\u02bcN"],
  ...["\u01c5", "\u01c8", "\u01cb", "\u01f2"].flatMap((title) => [
    [title.toUpperCase(), title] as const,
    [title.toLowerCase(), title] as const,
    [title, title] as const
  ])
])

/** One character in title case; the sharp s becomes `Ss`. */
const titleCharacter = (character: string): string => {
  const known = titleForms.get(character)
  if (known !== undefined) return known
  const upper = character.toUpperCase()
  return upper.length > 1 && upper !== character ? upper.slice(0, 1) + upper.slice(1).toLowerCase() : upper
}

/** Every letter that follows no letter is in title case, all others in lower case. */
export const titlecase = (text: string): string => {
  let previousIsCased = false
  let result = ""
  for (const character of text) {
    result += previousIsCased ? character.toLowerCase() : titleCharacter(character)
    previousIsCased = cased().test(character)
  }
  return result
}

export const capitalize = (text: string): string => {
  const [first = ""] = text
  return titleCharacter(first) + text.slice(first.length).toLowerCase()
}

export const swapcase = (text: string): string =>
  Array.from(text, (character) =>
    /\p{Uppercase}/u.test(character) ? character.toLowerCase() : character.toUpperCase()
  ).join("")

/** True when there is at least one character and all of them match. */
const every =
  (test: (character: string) => boolean) =>
  (text: string): boolean => {
    if (text === "") return false
    for (const character of text) if (!test(character)) return false
    return true
  }

const everyMatches = (pattern: () => RegExp) => {
  const made = lazily(pattern)
  return every((character) => made().test(character))
}

/** Some character has a case, and none is in the other one. */
const inCase =
  (other: () => RegExp, own: () => RegExp) =>
  (text: string): boolean =>
    !other().test(text) && own().test(text)

const isTitle = (text: string): boolean => cased().test(text) && titlecase(text) === text

export const isLower = inCase(
  () => /[\p{Uppercase}\p{Lt}]/u,
  () => /\p{Lowercase}/u
)
export const isUpper = inCase(
  () => /[\p{Lowercase}\p{Lt}]/u,
  () => /\p{Uppercase}/u
)

export const classTests: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["isdigit", everyMatches(() => /[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]/u)],
  ["isdecimal", everyMatches(() => /\p{Nd}/u)],
  ["isnumeric", everyMatches(() => /\p{N}/u)],
  ["isalpha", everyMatches(() => /\p{L}/u)],
  ["isalnum", everyMatches(() => /[\p{L}\p{N}]/u)],
  ["isspace", every(isBlank)],
  ["isascii", (text: string) => !/\P{ASCII}/u.test(text)],
  ["isprintable", (text: string) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(" ", ""))],
  ["isidentifier", (text: string) => /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text)],
  ["islower", isLower],
  ["isupper", isUpper],
  ["istitle", isTitle]
])
