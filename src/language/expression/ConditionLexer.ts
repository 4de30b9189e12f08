/**
 * Cuts the text of a `when:` expression into tokens. The lexical rules are those of the host language, which has string
 * prefixes, comments, line ends and operators that templates do not have.
 */
import { Fault } from "./Fault.ts"
import { scanFormattedString } from "./FormattedString.ts"
import { floatValue, integerValue, nameLiteral, unescape } from "./Literals.ts"
import type { Runtime } from "./Runtime.ts"

export type ConditionToken =
  | { readonly kind: "name" | "operator" | "line end" | "end"; readonly text: string; readonly offset: number }
  | { readonly kind: "value"; readonly text: string; readonly value: Runtime; readonly offset: number }
  | { readonly kind: "string"; readonly text: string; readonly value: string; readonly offset: number }
  | { readonly kind: "bytes"; readonly text: string; readonly offset: number }
  | {
      readonly kind: "formatted"
      readonly text: string
      readonly parts: ReadonlyArray<RawPart>
      readonly offset: number
    }

/** A part of an f-string: text, or the source of an expression with its own parts as format. */
export type RawPart =
  string | { readonly source: string; readonly offset: number; readonly specification: ReadonlyArray<RawPart> }

const number =
  /0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][+-]?\d(?:_?\d)*)?/y
const stringStart = /([rRbBuUfF]{0,2})('''|"""|'|")/y
const operators =
  /\*\*=|\/\/=|<<=|>>=|\.\.\.|:=|==|!=|<=|>=|->|\*\*|\/\/|<<|>>|[-+*/%@&|^]=|[-+*/%@&|^~<>()[\]{},:;.=]/y
const skipped = /[ \t\f]+|\\\r?\n|#[^\n]*/y
const lineEnd = /\r?\n|\r/y
const prefixes = new Set(["", "r", "b", "u", "f", "rb", "br", "rf", "fr"])

const keywords = new Set(
  (
    "and or not in is if else lambda for while def class return import from as with try except finally raise del pass " +
    "break continue global nonlocal assert yield async await elif"
  ).split(" ")
)
/** Words that name nothing. */
export const isKeyword = (name: string): boolean => keywords.has(name)

/** What authors write who think of other languages. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["!", "use 'not'"],
  ["?", "use 'a if condition else b'"],
  ["$", "names are written without '$'"],
  ["{", "write the whole condition inside '{{ }}'"]
])

/** `base` is added to the offsets of the tokens, not to those of the parts of f-strings. */
export const tokenizeCondition = (source: string, base: number): ReadonlyArray<ConditionToken> =>
  new ConditionLexer(source, base).run()

class ConditionLexer {
  readonly #tokens: Array<ConditionToken> = []
  #position = 0
  #brackets = 0

  constructor(
    readonly source: string,
    readonly base: number
  ) {}

  run(): ReadonlyArray<ConditionToken> {
    while (this.#position < this.source.length) this.#token()
    this.#add({ kind: "end", text: "end of the expression", offset: this.source.length })
    return this.#tokens
  }

  #add(token: ConditionToken): void {
    this.#tokens.push({ ...token, offset: token.offset + this.base })
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const text = pattern.exec(this.source)?.[0]
    if (text !== undefined) this.#position += text.length
    return text
  }

  #fail(reason: string, offset: number): Fault {
    const fault = new Fault("syntax", reason)
    fault.offset = offset + this.base
    return fault
  }

  #token(): void {
    if (this.#take(skipped) !== undefined) return
    const offset = this.#position
    if (this.#take(lineEnd) !== undefined) {
      // Inside brackets a line end means nothing.
      if (this.#brackets === 0) this.#add({ kind: "line end", text: "line end", offset })
      return
    }
    stringStart.lastIndex = offset
    const start = stringStart.exec(this.source)
    const prefix = start?.[1]?.toLowerCase() ?? ""
    if (start !== null && prefixes.has(prefix)) return this.#string(prefix, start[2] ?? "'", start[0].length)
    const digits = this.#take(number)
    if (digits !== undefined) return this.#number(digits, offset)
    const name = this.#take(nameLiteral)
    if (name !== undefined) {
      this.#add({ kind: "name", text: name, offset })
      return
    }
    const operator = this.#take(operators)
    if (operator === undefined) throw this.#unexpected(offset)
    if ("([{".includes(operator)) this.#brackets += 1
    if (")]}".includes(operator)) this.#brackets -= 1
    this.#add({ kind: "operator", text: operator, offset })
  }

  #unexpected(offset: number): Fault {
    const character = String.fromCodePoint(this.source.codePointAt(offset) ?? 0)
    const remedy = remedies.get(character)
    return this.#fail(`unexpected character '${character}'${remedy === undefined ? "" : `; ${remedy}`}`, offset)
  }

  #number(text: string, offset: number): void {
    const isWhole = /^(?:0[xXoObB].*|[\d_]+)$/.test(text)
    if (isWhole && /^0[\d_]*[1-9]/.test(text)) throw this.#fail("leading zeros in a number are not permitted", offset)
    const next = this.source.charAt(this.#position)
    if (
      /[\p{XID_Continue}]/u.test(next) &&
      !/^(?:and|or|in|is|if|else|not)\b/.test(this.source.slice(this.#position))
    ) {
      throw this.#fail(`invalid number '${text}${next}'`, offset)
    }
    this.#add({ kind: "value", text, value: isWhole ? integerValue(text) : floatValue(text), offset })
  }

  #string(prefix: string, quote: string, opening: number): void {
    const offset = this.#position
    const start = offset + opening
    const isRaw = prefix.includes("r")
    const decode = (body: string) => (isRaw ? body : unescape(body))
    if (prefix.includes("f")) {
      const { end, parts } = scanFormattedString(this.source, start, quote, decode)
      this.#position = end
      this.#add({ kind: "formatted", text: "string", parts, offset })
      return
    }
    const end = this.#endOfString(start, quote, offset)
    const body = this.source.slice(start, end).replace(/\r\n?/g, "\n")
    this.#position = end + quote.length
    if (prefix.includes("b")) this.#add({ kind: "bytes", text: "bytes", offset })
    else this.#add({ kind: "string", text: "string", value: decode(body), offset })
  }

  #endOfString(start: number, quote: string, offset: number): number {
    for (let index = start; index < this.source.length; index++) {
      const character = this.source.charAt(index)
      if (character === "\\") index += 1
      else if (this.source.startsWith(quote, index)) return index
      else if (character === "\n" && quote.length === 1) break
    }
    throw this.#fail("unterminated string", offset)
  }
}
