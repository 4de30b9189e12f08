/** Makes links of the URLs and mail addresses in a text; the rules for what is one are Jinja's. */
import { lazily } from "../../domain/Lazily.ts"
import { valueFault } from "../expression/Fault.ts"
import { cut, lengthOf } from "../expression/Characters.ts"
import { escapeText } from "../expression/Html.ts"

export interface UrlizeOptions {
  /** Characters shown of a URL. */
  readonly limit: number | undefined
  readonly target: string | undefined
  readonly relations: ReadonlyArray<string>
  /** Further prefixes that make a link, such as `ftp://`. */
  readonly schemes: ReadonlyArray<string>
}

/** A longer word is never a link; it bounds what the patterns have to look at. */
const longestWord = 2048

const word = "\\p{L}\\p{N}_"
const http = lazily(
  () =>
    new RegExp(
      `^(?:(?:https?://|www\\.)(?:[${word}%-]+\\.)*(?:[a-z]{2,63}|xn--[${word}%]{2,59})` +
        `|(?:[${word}%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
        `|https?://(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[(?:[\\da-f]{0,4}:){2}(?:[\\da-f]{0,4}:?){1,6}\\]))` +
        `(?::\\d{1,5})?(?:[/?#]\\S*)?$`,
      "iu"
    )
)
const email = lazily(() => new RegExp(`^[^\\s@]+(?:@[^\\s@]+)*@[${word}][${word}.-]*\\.[${word}]+$`, "u"))
const scheme = lazily(() => /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u)
const pairs = [
  ["(", ")"],
  ["<", ">"],
  ["&lt;", "&gt;"]
] as const

const count = (text: string, part: string): number => text.split(part).length - 1

/** Punctuation around a URL is not part of it, unless it closes a bracket inside. */
const peel = (text: string): readonly [string, string, string] => {
  const head = /^(?:[(<]|&lt;)+/.exec(text)?.[0] ?? ""
  const rest = text.slice(head.length)
  let tail = /(?:[)>.,\n]|&gt;)+$/.exec(rest)?.[0] ?? ""
  let middle = rest.slice(0, rest.length - tail.length)
  for (const [open, close] of pairs) {
    const opened = count(middle, open)
    if (opened <= count(middle, close)) continue
    for (let left = Math.min(opened, count(tail, close)); left > 0; left--) {
      const end = tail.indexOf(close) + close.length
      middle += tail.slice(0, end)
      tail = tail.slice(end)
    }
  }
  return [head, middle, tail]
}

const link = (text: string, { limit, relations, schemes, target }: UrlizeOptions): string => {
  const relation = [...new Set([...relations, "noopener"])].sort().join(" ")
  const extra = ` rel="${escapeText(relation)}"${target === undefined ? "" : ` target="${escapeText(target)}"`}`
  const shown = limit !== undefined && lengthOf(text) > limit ? `${cut(text, 0, limit)}...` : text
  if (http().test(text)) {
    const url = text.startsWith("https://") || text.startsWith("http://") ? text : `https://${text}`
    return `<a href="${url}"${extra}>${shown}</a>`
  }
  if (text.startsWith("mailto:") && email().test(text.slice(7))) return `<a href="${text}">${text.slice(7)}</a>`
  const isAddress = !text.startsWith("www.") && !text.startsWith("@") && !text.includes(":") && email().test(text)
  if (isAddress) return `<a href="mailto:${text}">${text}</a>`
  const known = schemes.some((prefix) => text !== prefix && text.startsWith(prefix))
  return known ? `<a href="${text}"${extra}>${text}</a>` : text
}

export const urlize = (text: string, options: UrlizeOptions): string => {
  for (const prefix of options.schemes) {
    if (!scheme().test(prefix)) throw valueFault(`'${prefix}' is not a valid URI scheme prefix.`)
  }
  return escapeText(text)
    .split(/(\s+)/)
    .map((part) => {
      if (part.length > longestWord) return part
      const [head, middle, tail] = peel(part)
      return head + link(middle, options) + tail
    })
    .join("")
}
