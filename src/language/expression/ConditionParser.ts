/**
 * Parses `when:` expressions: the expression grammar of the host language, of which some forms are left out when they
 * are evaluated (workflow language §3.3). What differs from templates: `**` binds to the right and before a minus, `|` is
 * arithmetic, `is` compares, and there are no filters.
 */
import type { Bitwise, Comparator, Expression } from "./Ast.ts"
import { parseAtom } from "./ConditionAtom.ts"
import { parseArguments, parseSubscript } from "./ConditionCall.ts"
import { type ConditionToken, isKeyword, tokenizeCondition } from "./ConditionLexer.ts"
import type { Fault } from "./Fault.ts"
import { Grammar } from "./Grammar.ts"
import { TokenStream } from "./TokenStream.ts"
import { unsupported, unsupportedCollection } from "./Unsupported.ts"

const bitwiseLevels: ReadonlyArray<ReadonlyArray<Bitwise>> = [["|"], ["^"], ["&"], ["<<", ">>"]]
const assignments = ["=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", "@="]

/** Throws a syntax `Fault`. Of several statements only the first counts. */
export const parseCondition = (text: string): Expression => new ConditionParser(text, 0, 0).condition()

export class ConditionParser extends Grammar {
  override readonly stream: TokenStream<ConditionToken>

  constructor(
    source: string,
    /** Where `source` begins in the condition: the expressions of f-strings are parsed on their own. */
    readonly base: number,
    depth: number
  ) {
    const tokens = tokenizeCondition(source, base)
    const end = { kind: "end", text: "end of the expression", offset: base + source.length } as const
    const stream = new TokenStream<ConditionToken>(tokens, end)
    super(stream, depth)
    this.stream = stream
  }

  condition(): Expression {
    const { stream } = this
    if (stream.is("end")) throw stream.fail("the expression is empty")
    const first = this.#statement()
    while (stream.skip("operator", ";") || stream.is("line end")) {
      while (stream.skip("line end"));
      if (!stream.is("end")) this.#statement()
    }
    if (!stream.is("end")) throw this.unexpected()
    return first
  }

  /** An expression inside a text that is parsed on its own; `offset` counts in the text of this parser. */
  embedded(source: string, offset: number): Expression {
    const parser = new ConditionParser(source, this.base + offset, this.depth + 1)
    const expression = parser.tuple()
    if (!parser.stream.is("end")) throw parser.unexpected()
    return expression
  }

  unexpected(): Fault {
    const { stream } = this
    const { kind, text } = stream.current
    const previous = stream.previous?.text
    if (text === "&" && previous === "&") return stream.fail("unexpected '&&'; use 'and'")
    if (text === "|" && previous === "|") return stream.fail("unexpected '||'; use 'or'")
    if (text === "{" && stream.following.text === "{") {
      return stream.fail("unexpected '{{'; close it with '}}' to write the condition as a template")
    }
    return stream.fail(
      kind === "line end" ? "unexpected line end; put the expression in parentheses" : `unexpected '${text}'`
    )
  }

  expect(symbol: string): void {
    const { stream } = this
    if (!stream.skip("operator", symbol)) throw stream.fail(`expected '${symbol}', got '${stream.current.text}'`)
  }

  /** An assignment counts as its right-hand side, as in the reference. */
  #statement(): Expression {
    const { stream } = this
    let value = this.tuple()
    while (stream.isAny("operator", assignments)) {
      if (!["name", "attribute", "item", "slice", "unsupported"].includes(value.kind)) {
        throw stream.fail("cannot assign to this expression; use '==' to compare")
      }
      stream.next()
      value = this.tuple()
    }
    return value
  }

  tuple(): Expression {
    const { stream } = this
    const { offset } = stream.current
    const first = this.starred()
    if (!stream.is("operator", ",")) return first
    while (stream.skip("operator", ",")) if (this.#startsExpression()) this.starred()
    return unsupportedCollection("a tuple", offset)
  }

  #startsExpression(): boolean {
    const { kind, text } = this.stream.current
    if (kind === "operator") return ["(", "[", "{", "+", "-", "~", "...", "*"].includes(text)
    if (kind === "name") return !isKeyword(text) || ["not", "lambda", "await"].includes(text)
    return kind !== "end" && kind !== "line end"
  }

  starred(): Expression {
    const { offset } = this.stream.current
    if (!this.stream.skip("operator", "*")) return this.#named()
    this.operand()
    return unsupported("unpacking with '*'", offset)
  }

  /** `name := value`, valid in parentheses only, where it is not supported. */
  #named(): Expression {
    const { offset } = this.stream.current
    const value = this.expression()
    if (value.kind !== "name" || this.depth === 0 || !this.stream.skip("operator", ":=")) return value
    this.expression()
    return unsupported("an assignment", offset, "use '==' to compare")
  }

  override expression(): Expression {
    return this.nested(() => {
      const { stream } = this
      const { offset } = stream.current
      if (stream.skip("name", "lambda")) return this.#lambda(offset)
      const consequent = this.or()
      if (!stream.skip("name", "if")) return consequent
      const test = this.or()
      if (!stream.skip("name", "else")) throw stream.fail("expected 'else' after 'if'")
      return { kind: "choice", test, consequent, otherwise: this.expression(), offset }
    })
  }

  #lambda(offset: number): Expression {
    const { stream } = this
    while (!stream.is("operator", ":")) {
      if (!stream.is("name") && !stream.is("operator", ",")) throw this.unexpected()
      stream.next()
    }
    this.expect(":")
    this.expression()
    return unsupported("a function (lambda)", offset)
  }

  protected override comparator(): Comparator | undefined {
    if (this.stream.skip("name", "is")) return this.stream.skip("name", "not") ? "is not" : "is"
    return super.comparator()
  }

  override operand(): Expression {
    return this.#bitwise(0)
  }

  /** `|`, `^`, `&` and shifts, from loose to tight. */
  #bitwise(level: number): Expression {
    const operators = bitwiseLevels[level]
    if (operators === undefined) return this.binary(["+", "-"], () => this.#product())
    const tighter = () => this.#bitwise(level + 1)
    return this.leftAssociative(operators, tighter, (operator, left, right) => ({
      kind: "bitwise",
      operator,
      left,
      right,
      offset: left.offset
    }))
  }

  #product(): Expression {
    const left = this.binary(["*", "/", "//", "%"], () => this.#factor())
    if (!this.stream.skip("operator", "@")) return left
    this.nested(() => this.#product())
    return unsupported("matrix multiplication", left.offset)
  }

  #factor(): Expression {
    const { stream } = this
    const { offset } = stream.current
    const operator = (["-", "+", "~"] as const).find((candidate) => stream.skip("operator", candidate))
    if (operator !== undefined) return { kind: "unary", operator, operand: this.nested(() => this.#factor()), offset }
    const isAwait = stream.skip("name", "await")
    const base = this.#primary()
    if (isAwait) return unsupported("await", offset)
    if (!stream.skip("operator", "**")) return base
    return { kind: "binary", operator: "**", left: base, right: this.nested(() => this.#factor()), offset }
  }

  #primary(): Expression {
    const { stream } = this
    let target = parseAtom(this)
    for (;;) {
      const { offset } = stream.current
      if (stream.skip("operator", ".")) target = this.#member(target)
      else if (stream.skip("operator", "(")) target = { kind: "call", target, args: parseArguments(this), offset }
      else if (stream.skip("operator", "[")) target = parseSubscript(this, target, offset)
      else return target
    }
  }

  #member(target: Expression): Expression {
    const { kind, text } = this.stream.current
    if (kind !== "name" || isKeyword(text)) throw this.stream.fail("expected a name after '.'")
    return { kind: "attribute", target, name: text, offset: this.stream.next().offset }
  }
}
