/** The tokens of template source. */
import type { Runtime } from "../expression/Runtime.ts"

export type TokenKind =
  | "text"
  | "block begin"
  | "block end"
  | "print begin"
  | "print end"
  | "name"
  | "string"
  | "integer"
  | "float"
  | "operator"
  | "end"

export interface Token {
  readonly kind: TokenKind
  /** The characters of names and operators, the content of texts and strings. */
  readonly text: string
  /** The value of number tokens. */
  readonly value: Runtime
  readonly offset: number
}

const descriptions: Partial<Record<TokenKind, string>> = {
  text: "template data / text",
  "block begin": "begin of statement block",
  "block end": "end of statement block",
  "print begin": "begin of print statement",
  "print end": "end of print statement",
  end: "end of template"
}

/** As shown in messages. */
export const describeToken = (token: Token): string =>
  token.kind === "name" || token.kind === "operator" ? token.text : (descriptions[token.kind] ?? token.kind)
