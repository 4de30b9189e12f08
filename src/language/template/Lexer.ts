/**
 * Cuts template source into tokens: text, `{{ }}`, `{% %}`, `{# #}`, `{% raw %}` and white space control.
 * Syntax as in Jinja 3.1 with the settings of workflow language §3.1; line statements do not exist.
 */
import { stripEnd, stripStart } from "../expression/Characters.ts"
import { Fault } from "../expression/Fault.ts"
import {
  floatLiteral,
  floatValue,
  integerLiteral,
  integerValue,
  nameLiteral,
  unescape
} from "../expression/Literals.ts"
import type { Runtime } from "../expression/Runtime.ts"
import type { Token, TokenKind } from "./Token.ts"

const tagBegin = /\{[{%#]/g
const rawBegin = /\{%[-+]?\s*raw\s*(-?)%\}/y
const rawEnd = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
const stringLiteral = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y
const blanks = /\s+/y
const closers: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"]
])

export const normalizeNewlines = (text: string): string => text.replace(/\r\n?/g, "\n")

/** `source` has normalised newlines; offsets count from its start. */
export const tokenize = (source: string): ReadonlyArray<Token> => new Lexer(source).run()

class Lexer {
  readonly #tokens: Array<Token> = []
  #position = 0

  constructor(readonly source: string) {}

  run(): ReadonlyArray<Token> {
    while (this.#position < this.source.length) this.#root()
    this.#add("end", "", this.source.length)
    return this.#tokens
  }

  #add(kind: TokenKind, text: string, offset: number, value: Runtime = null): void {
    this.#tokens.push({ kind, text, value, offset })
  }

  #fail(reason: string, offset: number): Fault {
    const fault = new Fault("syntax", reason)
    fault.offset = offset
    return fault
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position
    return pattern.exec(this.source)
  }

  #root(): void {
    const start = this.#position
    tagBegin.lastIndex = start
    const begin = tagBegin.exec(this.source)
    if (begin === null) {
      this.#text(this.source.slice(start), start)
      this.#position = this.source.length
      return
    }
    const opening = begin.index
    const control = this.source.charAt(opening + 2)
    const before = this.source.slice(start, opening)
    this.#text(control === "-" ? stripEnd(before) : before, start)
    this.#position = opening
    const raw = this.#match(rawBegin)
    if (raw !== null) return this.#raw(raw, opening)
    this.#position = opening + (control === "-" || control === "+" ? 3 : 2)
    if (begin[0] === "{#") return this.#comment(opening)
    const kind = begin[0] === "{{" ? "print" : "block"
    this.#add(`${kind} begin`, begin[0], opening)
    this.#tag(kind)
  }

  #text(text: string, offset: number): void {
    if (text !== "") this.#add("text", text, offset)
  }

  #raw(begin: RegExpExecArray, opening: number): void {
    const start = opening + begin[0].length
    rawEnd.lastIndex = start
    const end = rawEnd.exec(this.source)
    if (end === null) throw this.#fail("Missing end of raw directive", opening)
    const body = this.source.slice(start, end.index)
    const opened = begin[1] === "-" ? stripStart(body) : body
    this.#text(end[1] === "-" ? stripEnd(opened) : opened, start)
    this.#position = end.index + end[0].length
    if (end[2] === "-") this.#skipBlanks()
  }

  #comment(opening: number): void {
    const end = this.source.indexOf("#}", this.#position)
    if (end < 0) throw this.#fail("Missing end of comment tag", opening)
    const strips = end > this.#position && this.source.charAt(end - 1) === "-"
    this.#position = end + 2
    if (strips) this.#skipBlanks()
  }

  #skipBlanks(): void {
    this.#position += this.#match(blanks)?.[0].length ?? 0
  }

  /** Up to the end of the tag; brackets hide an end mark inside them. */
  #tag(kind: "print" | "block"): void {
    const end = kind === "print" ? /-\}\}\s*|\}\}/y : /-%\}\s*|\+?%\}/y
    const open: Array<string> = []
    while (this.#position < this.source.length) {
      const closing = open.length === 0 ? this.#match(end) : null
      if (closing !== null) {
        this.#add(`${kind} end`, closing[0], this.#position)
        this.#position += closing[0].length
        return
      }
      this.#expressionToken(open)
    }
  }

  #expressionToken(open: Array<string>): void {
    const offset = this.#position
    const take = (pattern: RegExp): string | undefined => {
      const text = this.#match(pattern)?.[0]
      if (text !== undefined) this.#position += text.length
      return text
    }
    if (take(blanks) !== undefined) return
    // `a.1.5` is two items, not the float 1.5.
    const float = this.source.charAt(offset - 1) === "." ? undefined : take(floatLiteral)
    if (float !== undefined) return this.#number("float", float, offset, floatValue)
    const whole = take(integerLiteral)
    if (whole !== undefined) return this.#number("integer", whole, offset, integerValue)
    const name = take(nameLiteral)
    if (name !== undefined) return this.#add("name", name, offset)
    const string = take(stringLiteral)
    if (string !== undefined) {
      const content = this.#at(offset, () => unescape(string.slice(1, -1)))
      return this.#add("string", content, offset)
    }
    const symbol = take(operator)
    if (symbol === undefined) throw this.#fail(`unexpected char '${this.#character(offset)}'`, offset)
    this.#balance(symbol, open, offset)
    this.#add("operator", symbol, offset)
  }

  #number(kind: "float" | "integer", text: string, offset: number, read: (text: string) => Runtime): void {
    const value = this.#at(offset, () => read(text))
    this.#add(kind, text, offset, value)
  }

  #character(offset: number): string {
    return String.fromCodePoint(this.source.codePointAt(offset) ?? 0)
  }

  #at<A>(offset: number, read: () => A): A {
    try {
      return read()
    } catch (cause) {
      if (cause instanceof Fault) cause.offset ??= offset
      throw cause
    }
  }

  #balance(symbol: string, open: Array<string>, offset: number): void {
    const closer = closers.get(symbol)
    if (closer !== undefined) open.push(closer)
    if (symbol !== ")" && symbol !== "]" && symbol !== "}") return
    const expected = open.pop()
    if (expected === symbol) return
    throw this.#fail(`unexpected '${symbol}'${expected === undefined ? "" : `, expected '${expected}'`}`, offset)
  }
}
