/** Finds the parts of an f-string: texts, and `{expression:format}` with quotes and brackets of its own inside. */
import type { RawPart } from "./ConditionLexer.ts"
import { Fault } from "./Fault.ts"

const fail = (reason: string, offset: number): Fault => {
  const fault = new Fault("syntax", `f-string: ${reason}`)
  fault.offset = offset
  return fault
}

const deepest = 3

interface Literal {
  readonly source: string
  readonly quote: string
  readonly decode: (body: string) => string
}

interface Scanned {
  readonly end: number
  readonly parts: ReadonlyArray<RawPart>
}

/** `start` is after the opening quote; `end` in the result is after the closing one. */
export const scanFormattedString = (
  source: string,
  start: number,
  quote: string,
  decode: (body: string) => string
): Scanned => {
  const { end, parts } = scanText({ source, quote, decode }, start, 0)
  return { end: end + quote.length, parts }
}

/** Up to the closing quote, or up to the `}` that closes a format (`depth` above 0); `end` is at that mark. */
const scanText = (literal: Literal, start: number, depth: number): Scanned => {
  const { decode, quote, source } = literal
  if (depth > deepest) throw fail("expressions nested too deeply", start)
  const parts: Array<RawPart> = []
  let text = ""
  let index = start
  const flush = () => {
    if (text !== "") parts.push(decode(text))
    text = ""
  }
  while (index < source.length) {
    const character = source.charAt(index)
    const isDoubled = source.charAt(index + 1) === character && depth === 0
    if (source.startsWith(quote, index) && depth === 0) {
      flush()
      return { end: index, parts }
    }
    if (character === "}" && depth > 0) {
      flush()
      return { end: index, parts }
    }
    if (character === "\n" && quote.length === 1) break
    if ((character === "{" || character === "}") && isDoubled) {
      text += character
      index += 2
    } else if (character === "{") {
      flush()
      const { end, part } = scanField(literal, index + 1, depth)
      parts.push(part)
      index = end
    } else if (character === "}") throw fail("single '}' is not allowed", index)
    else if (character === "\\") {
      text += source.slice(index, index + 2)
      index += 2
    } else {
      text += character
      index += 1
    }
  }
  throw fail("unterminated string", start)
}

const scanField = (
  literal: Literal,
  start: number,
  depth: number
): { readonly end: number; readonly part: RawPart } => {
  const { source } = literal
  let end = endOfExpression(source, start)
  const expression = source.slice(start, end)
  if (expression.trim() === "") throw fail("empty expression not allowed", start)
  // A conversion is read and, as in the reference, has no effect.
  const conversion = /^![sra]/.exec(source.slice(end, end + 2))
  if (conversion !== null) end += 2
  let specification: ReadonlyArray<RawPart> = []
  if (source.charAt(end) === ":") {
    const format = scanText(literal, end + 1, depth + 1)
    specification = format.parts
    end = format.end
  }
  if (source.charAt(end) !== "}") throw fail("expecting '}'", end)
  return { end: end + 1, part: { source: expression, offset: start, specification } }
}

/** At the first `}`, `:` or `!` outside brackets and strings. */
const endOfExpression = (source: string, start: number): number => {
  let depth = 0
  for (let index = start; index < source.length; index++) {
    const character = source.charAt(index)
    if (character === "'" || character === '"') {
      const closing = source.indexOf(character, index + 1)
      if (closing < 0) break
      index = closing
    } else if ("([{".includes(character)) depth += 1
    else if (depth > 0 && ")]}".includes(character)) depth -= 1
    else if (depth === 0 && (character === "}" || character === ":")) return index
    else if (depth === 0 && character === "!" && source.charAt(index + 1) !== "=") return index
  }
  throw fail("expecting '}'", start)
}
