/** Finds where the secrets of a text are. Pure; the one search behind redacting a whole text and redacting a stream. */
import { mayHoldSecret, type SecretPattern, secretPatterns } from "./SecretPatterns.ts"
import { literalPattern } from "./SecretValues.ts"

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

export interface SecretFinder {
  /** Sorted and disjoint. */
  readonly find: (text: string) => ReadonlyArray<SecretSpan>
  /** The length of the longest known spelling: what a stream must see ahead to be sure of a known value. */
  readonly longestSpelling: number
  /** Known spellings that go over a line end. */
  readonly longestMultiline: number
}

const spansOf = (text: string, { kind, expression }: SecretPattern): ReadonlyArray<SecretSpan> =>
  Array.from(text.matchAll(expression), (match) => ({
    start: match.index + (match.groups?.["keep"]?.length ?? 0),
    end: match.index + match[0].length,
    kind
  }))

/** Overlapping spans become one, named after the first: what any rule calls secret is not shown. */
const merge = (spans: ReadonlyArray<SecretSpan>): ReadonlyArray<SecretSpan> => {
  const merged: Array<SecretSpan> = []
  for (const span of [...spans].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** Looks ahead at every position, so that of two secrets that overlap both are found. */
const knownExpression = (spellings: ReadonlyArray<string>): RegExp =>
  new RegExp(`(?=(${spellings.map(literalPattern).join("|")}))`, "g")

const knownSpans = (text: string, expression: RegExp): ReadonlyArray<SecretSpan> =>
  Array.from(text.matchAll(expression), (match) => ({
    start: match.index,
    end: match.index + (match[1]?.length ?? 0),
    kind: "secret"
  }))

/** `spellings` longest first, so that of two that begin alike the longer one is found. */
export const makeSecretFinder = (spellings: ReadonlyArray<string>): SecretFinder => {
  const known = spellings.length === 0 ? undefined : knownExpression(spellings)
  return {
    find: (text) =>
      merge([
        ...(known === undefined ? [] : knownSpans(text, known)),
        ...(mayHoldSecret.test(text) ? secretPatterns.flatMap((pattern) => spansOf(text, pattern)) : [])
      ]),
    longestSpelling: spellings[0]?.length ?? 0,
    longestMultiline: spellings.find((text) => text.includes("\n"))?.length ?? 0
  }
}

/** The text with each span from `from` to `to` replaced by `[REDACTED:<kind>]`. No span may cross `to`. */
export const replaceSpans = (text: string, spans: ReadonlyArray<SecretSpan>, from = 0, to = text.length): string => {
  let result = ""
  let position = from
  for (const { start, end, kind } of spans) {
    if (end <= from || start >= to) continue
    result += `${text.slice(position, Math.max(start, position))}[REDACTED:${kind}]`
    position = end
  }
  return result + text.slice(position, to)
}
