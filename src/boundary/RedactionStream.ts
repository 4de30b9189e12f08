/**
 * Redacts text that arrives in chunks. Shows a chunk's text only when no secret that began in it can still be growing,
 * so a secret is found wherever the borders of the chunks fall.
 */
import { privateKeyEnd, privateKeyStart } from "./SecretPatterns.ts"
import { replaceSpans, type SecretFinder } from "./SecretSpans.ts"

export interface RedactionStream {
  /** The text that has become safe to show, often empty. */
  readonly push: (chunk: string) => string
  /** The rest. The stream may be used again afterwards. */
  readonly flush: () => string
}

/** No pattern but a private key goes over a line end, and on one line none needs to see this many characters ahead. */
const patternReach = 8_192
/** A private key without an end holds the text up to here, in characters; no real one is this long. */
const longestPrivateKey = 65_536

/** The start of the last private key that has no END line yet. */
const openPrivateKey = (text: string): number | undefined => {
  const last = Array.from(text.matchAll(privateKeyStart)).at(-1)
  if (last === undefined || privateKeyEnd.test(text.slice(last.index))) return undefined
  return text.length - last.index > longestPrivateKey ? undefined : last.index
}

/** How much of the text can be shown: whole lines, or of a very long line all that nothing to come can change. */
const settledLength = (text: string, finder: SecretFinder): number => {
  const byLine = Math.min(text.lastIndexOf("\n") + 1, text.length - Math.max(0, finder.longestMultiline - 1))
  const byReach = text.length - Math.max(patternReach, finder.longestSpelling)
  const settled = Math.max(0, byLine, byReach)
  const key = openPrivateKey(text)
  return key === undefined ? settled : Math.min(settled, key)
}

const splitsPair = (text: string, at: number): boolean =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at))

export const makeRedactionStream = (finder: SecretFinder): RedactionStream => {
  let text = ""
  /** What of `text` was shown already: the beginning of a line, kept so that a search sees what its rest is part of. */
  let shown = 0

  const show = (end: number): string => {
    const spans = finder.find(text)
    const crossing = spans.find((span) => span.start < end && (span.end > end || span.end === text.length))
    const atSpan = crossing === undefined ? end : Math.min(end, crossing.start)
    const stop = Math.max(shown, splitsPair(text, atSpan) ? atSpan - 1 : atSpan)
    const result = replaceSpans(text, spans, shown, stop)
    const dropped = Math.max(0, text.slice(0, stop).lastIndexOf("\n") + 1, stop - patternReach)
    text = text.slice(dropped)
    shown = stop - dropped
    return result
  }

  return {
    push: (chunk) => {
      text += chunk
      // Searching costs the length of what is held: worth it when a line ends or much has come.
      const worthwhile =
        chunk.includes("\n") || text.length - shown > 2 * Math.max(patternReach, finder.longestSpelling)
      return worthwhile ? show(settledLength(text, finder)) : ""
    },
    flush: () => {
      const result = replaceSpans(text, finder.find(text), shown)
      text = ""
      shown = 0
      return result
    }
  }
}
