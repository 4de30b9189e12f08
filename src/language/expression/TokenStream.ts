/** Tokens, read one after another with one token of look-ahead. Knows nothing of what they mean. */
import { Fault } from "./Fault.ts"

export interface BaseToken {
  readonly kind: string
  readonly text: string
  /** Into the source, where the token begins. */
  readonly offset: number
}

export class TokenStream<Token extends BaseToken> {
  #position = 0

  constructor(
    readonly tokens: ReadonlyArray<Token>,
    /** The end, which stands for whatever is read behind it. */
    readonly last: Token
  ) {}

  /** A token as messages show it. */
  protected describe(token: Token): string {
    return token.text
  }

  get current(): Token {
    return this.tokens[this.#position] ?? this.last
  }

  get following(): Token {
    return this.tokens[this.#position + 1] ?? this.last
  }

  get previous(): Token | undefined {
    return this.tokens[this.#position - 1]
  }

  next(): Token {
    const token = this.current
    this.#position += 1
    return token
  }

  is(kind: Token["kind"], text?: string): boolean {
    return this.current.kind === kind && (text === undefined || this.current.text === text)
  }

  isAny(kind: Token["kind"], texts: ReadonlyArray<string>): boolean {
    return this.current.kind === kind && texts.includes(this.current.text)
  }

  followedBy(kind: Token["kind"], text: string): boolean {
    return this.following.kind === kind && this.following.text === text
  }

  /** Whether the token was there and is now behind. */
  skip(kind: Token["kind"], text?: string): boolean {
    const found = this.is(kind, text)
    if (found) this.#position += 1
    return found
  }

  expect(kind: Token["kind"], text?: string): Token {
    if (this.is(kind, text)) return this.next()
    throw this.fail(`expected token '${text ?? kind}', got '${this.describe(this.current)}'`)
  }

  fail(reason: string, offset = this.current.offset): Fault {
    const fault = new Fault("syntax", reason)
    fault.offset = offset
    return fault
  }
}
