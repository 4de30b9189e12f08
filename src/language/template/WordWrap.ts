/** Breaks a line at white space and hyphens; the rules are those of the host language's `textwrap`. */
import { lazily } from "../../domain/Lazily.ts"
import { characters, lengthOf } from "../expression/Characters.ts"

export interface WrapOptions {
  readonly width: number
  readonly breakLongWords: boolean
  readonly breakOnHyphens: boolean
}

const blanks = "[\\t\\n\\v\\f\\r ]"
const notBlank = "[^\\t\\n\\v\\f\\r ]"
const wordPunctuation = `[\\p{L}\\p{N}_!"'&.,?]`
const letter = "[\\p{L}_]"

/** White space, dashes between words, and words with an optional hyphen at the end. */
const withHyphens = lazily(
  () =>
    new RegExp(
      [
        `(${blanks}+`,
        `(?<=${wordPunctuation})-{2,}(?=[\\p{L}\\p{N}_])`,
        `${notBlank}+?(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${wordPunctuation}-))(?=${letter}-?${letter})|(?=${blanks}|$)|(?<=${wordPunctuation})(?=-{2,}[\\p{L}\\p{N}_])))`
      ].join("|"),
      "u"
    )
)
const plain = lazily(() => new RegExp(`(${blanks}+)`, "u"))

const chunksOf = (text: string, options: WrapOptions): Array<string> =>
  text.split(options.breakOnHyphens ? withHyphens() : plain()).filter((chunk) => chunk !== undefined && chunk !== "")

/** The lines, without line ends; a blank line gives none. */
export const wrapLine = (text: string, options: WrapOptions): Array<string> => {
  const chunks = chunksOf(text, options).reverse()
  const wrapped: Array<string> = []
  while (chunks.length > 0) {
    if (isBlankChunk(chunks.at(-1)) && wrapped.length > 0) chunks.pop()
    const line = takeLine(chunks, options)
    if (isBlankChunk(line.at(-1))) line.pop()
    if (line.length > 0) wrapped.push(line.join(""))
  }
  return wrapped
}

const isBlankChunk = (chunk: string | undefined): boolean => chunk !== undefined && chunk.trim() === ""

const takeLine = (chunks: Array<string>, { breakLongWords, breakOnHyphens, width }: WrapOptions): Array<string> => {
  const line: Array<string> = []
  let used = 0
  for (let chunk = chunks.at(-1); chunk !== undefined && used + lengthOf(chunk) <= width; chunk = chunks.at(-1)) {
    line.push(chunk)
    used += lengthOf(chunk)
    chunks.pop()
  }
  const long = chunks.at(-1)
  if (long === undefined || lengthOf(long) <= width) return line
  if (!breakLongWords) {
    if (line.length === 0) {
      line.push(long)
      chunks.pop()
    }
    return line
  }
  const all = characters(long)
  let space = width - used
  const hyphen = breakOnHyphens && all.length > space ? all.slice(0, space).lastIndexOf("-") : -1
  if (hyphen > 0 && all.slice(0, hyphen).some((character) => character !== "-")) space = hyphen + 1
  // Without space this adds an empty chunk, which is then dropped in place of trailing white space.
  line.push(all.slice(0, space).join(""))
  chunks[chunks.length - 1] = all.slice(space).join("")
  return line
}
