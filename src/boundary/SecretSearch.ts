/**
 * Finds texts that must not be written, and the beginnings of those that stood where a text was cut: a preview that shows
 * most of a key has told it. Pure, and linear in the text.
 */
import { byLength, literalPattern, shortestSecret } from "./SecretValues.ts"

export interface FoundSecret {
  readonly start: number
  readonly end: number
  /** All of it, whether or not all of it is there. */
  readonly secret: string
}

export interface SecretSearch {
  /** The next one at `from` or behind, the longest of those that begin at one place. */
  readonly next: (text: string, from: number) => FoundSecret | undefined
}

/** How a text that was cut goes on; half of a character may be left of what stood there. */
const cutMark = /\ufffd?(?:\.{3}|…|\n\[tool output truncated)/y
/** Characters. A text may also be cut without a mark, but none of these is shorter. */
const shortestUnmarked = 200

const isCutAt = (text: string, at: number): boolean => {
  if (at === text.length) return text.length >= shortestUnmarked
  cutMark.lastIndex = at
  return cutMark.test(text)
}

/** Characters of `secret` that stand at a place of `text`. */
const shared = (text: string, at: number, secret: string): number => {
  let length = shortestSecret
  while (length < secret.length && text[at + length] === secret[length]) length += 1
  return length
}

const foundAt = (text: string, start: number, secrets: ReadonlyArray<string>): FoundSecret | undefined => {
  let best: FoundSecret | undefined
  for (const secret of secrets) {
    const end = start + shared(text, start, secret)
    const counts = end - start === secret.length || isCutAt(text, end)
    if (counts && (best === undefined || end > best.end)) best = { start, end, secret }
  }
  return best
}

/** `secrets`: each at least `shortestSecret` long. */
export const makeSecretSearch = (secrets: Iterable<string>): SecretSearch => {
  const byHead = new Map<string, Array<string>>()
  for (const secret of [...secrets].sort(byLength)) {
    const head = secret.slice(0, shortestSecret)
    const others = byHead.get(head)
    if (others === undefined) byHead.set(head, [secret])
    else others.push(secret)
  }
  const heads = new RegExp([...byHead.keys()].map(literalPattern).join("|"), "g")
  return {
    next: (text, from) => {
      if (byHead.size === 0) return undefined
      heads.lastIndex = from
      for (let head = heads.exec(text); head !== null; head = heads.exec(text)) {
        const found = foundAt(text, head.index, byHead.get(head[0]) ?? [])
        if (found !== undefined) return found
        heads.lastIndex = head.index + 1
      }
      return undefined
    }
  }
}
