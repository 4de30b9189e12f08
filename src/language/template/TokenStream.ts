/** The tokens of a template, read one after another with one token of look-ahead. */
import { Fault } from "../expression/Fault.ts"
import { describeToken, type Token, type TokenKind } from "./Token.ts"

export class TokenStream {
  #position = 0

  constructor(
    readonly tokens: ReadonlyArray<Token>,
    private readonly last: Token
  ) {}

  get current(): Token {
    return this.tokens[this.#position] ?? this.last
  }

  get following(): Token {
    return this.tokens[this.#position + 1] ?? this.last
  }

  next(): Token {
    const token = this.current
    this.#position += 1
    return token
  }

  is(kind: TokenKind, text?: string): boolean {
    return this.current.kind === kind && (text === undefined || this.current.text === text)
  }

  isAny(kind: TokenKind, texts: ReadonlyArray<string>): boolean {
    return this.current.kind === kind && texts.includes(this.current.text)
  }

  /** Whether the token was there and is now behind. */
  skip(kind: TokenKind, text?: string): boolean {
    const found = this.is(kind, text)
    if (found) this.#position += 1
    return found
  }

  expect(kind: TokenKind, text?: string): Token {
    if (this.is(kind, text)) return this.next()
    throw this.fail(`expected token '${text ?? kind}', got '${describeToken(this.current)}'`)
  }

  fail(reason: string, offset = this.current.offset): Fault {
    const fault = new Fault("syntax", reason)
    fault.offset = offset
    return fault
  }
}
