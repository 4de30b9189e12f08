/**
 * From text to the YAML library's documents. Depth is checked while the text is read, before anything recurses into it:
 * when the stack runs out inside the compilation of a regular expression, V8 ends the process, and no handler sees it.
 */
import { Either } from "effect"
import { Composer, Lexer, Parser, type CST, type Document } from "yaml"
import { MAX_DEPTH } from "./Limits.ts"

/** Text that is not composed at all, with the offset of the place. */
export interface Uncomposable {
  readonly offset: number
  readonly reason: string
}

interface Reading {
  readonly tokens: ReadonlyArray<CST.Token>
  /** Where reading stopped. */
  readonly end: number
}

/**
 * After so many tokens of a kind the text is refused anyway, whatever follows: a second document, mistakes, directives
 * without a document. The library takes its time over each of them.
 */
const ENOUGH: Readonly<Partial<Record<CST.Token["type"], number>>> = { document: 2, error: 50, directive: 50 }

/** Tags and anchors in a row: a value has one of each, and may begin with values that have theirs. */
const MAX_PROPERTIES = 50

const readTokens = (
  text: string,
  onNewLine: ((offset: number) => void) | undefined
): Either.Either<Reading, Uncomposable> => {
  const parser = new Parser(onNewLine)
  const tokens: Array<CST.Token> = []
  const counts = new Map<CST.Token["type"], number>()
  let properties = 0
  onNewLine?.(0)
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      const count = (counts.get(token.type) ?? 0) + 1
      counts.set(token.type, count)
      tokens.push(token)
      if (count === ENOUGH[token.type]) return Either.right({ tokens, end: parser.offset })
    }
    if (/^[!&]/.test(lexeme)) properties += 1
    else if (lexeme.trim() !== "") properties = 0
    if (properties > MAX_PROPERTIES) {
      return Either.left({ offset: parser.offset, reason: "a value has more than one tag or anchor" })
    }
    // The stack begins with the document, which is no level.
    const tooDeep = parser.stack[MAX_DEPTH + 1]
    if (tooDeep !== undefined) {
      return Either.left({ offset: tooDeep.offset, reason: "the document is nested too deeply" })
    }
  }
  tokens.push(...parser.end())
  return Either.right({ tokens, end: text.length })
}

/** Scalars stay text with their style (`failsafe`), since what a plain one means is decided by `plainScalar`. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, stringKeys: false } as const

/** At least one document, even of empty text; syntax errors are in the documents. */
export const composeYaml = (
  text: string,
  onNewLine?: (offset: number) => void
): Either.Either<ReadonlyArray<Document.Parsed>, Uncomposable> =>
  Either.map(readTokens(text, onNewLine), ({ end, tokens }) => [...new Composer(OPTIONS).compose(tokens, true, end)])
