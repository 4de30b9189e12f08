/**
 * The levels of the expression grammar that templates and conditions have in common: `or`, `and`, `not`, comparisons and
 * left-associative operators. What binds tighter differs and is the dialect's: see `ExpressionParser` (templates) and
 * `ConditionParser`.
 */
import type { Comparator, Expression } from "./Ast.ts"
import type { Operator } from "./Operators.ts"
import type { BaseToken, TokenStream } from "./TokenStream.ts"

const MAX_DEPTH = 100

const symbols: ReadonlyMap<string, Comparator> = new Map(
  (["==", "!=", "<", "<=", ">", ">="] as const).map((text) => [text, text])
)

export abstract class Grammar {
  constructor(
    readonly stream: TokenStream<BaseToken>,
    /** How many expressions the text lies in. */
    protected depth = 0
  ) {}

  /** A whole expression. */
  abstract expression(): Expression

  /** What comparisons compare. */
  protected abstract operand(): Expression

  /** Recursion is bounded, so that no source can exhaust the stack. */
  nested<A>(parse: () => A): A {
    this.depth += 1
    if (this.depth > MAX_DEPTH) throw this.stream.fail(`expressions nested more than ${MAX_DEPTH} levels deep`)
    const result = parse()
    this.depth -= 1
    return result
  }

  or(): Expression {
    let left = this.#and()
    while (this.stream.skip("name", "or")) left = { kind: "or", left, right: this.#and(), offset: left.offset }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.stream.skip("name", "and")) left = { kind: "and", left, right: this.#not(), offset: left.offset }
    return left
  }

  #not(): Expression {
    const { offset } = this.stream.current
    if (!this.stream.skip("name", "not")) return this.#compare()
    return { kind: "unary", operator: "not", operand: this.nested(() => this.#not()), offset }
  }

  #compare(): Expression {
    const first = this.operand()
    const rest: Array<readonly [Comparator, Expression]> = []
    for (let comparator = this.comparator(); comparator !== undefined; comparator = this.comparator()) {
      rest.push([comparator, this.operand()])
    }
    return rest.length === 0 ? first : { kind: "compare", first, rest, offset: first.offset }
  }

  /** Consumes a comparison operator, if there is one. */
  protected comparator(): Comparator | undefined {
    const { stream } = this
    const symbol = stream.is("operator") ? symbols.get(stream.current.text) : undefined
    if (symbol !== undefined) {
      stream.next()
      return symbol
    }
    if (stream.skip("name", "in")) return "in"
    if (!stream.is("name", "not") || !stream.followedBy("name", "in")) return undefined
    stream.next()
    stream.next()
    return "not in"
  }

  protected binary(operators: ReadonlyArray<Operator>, operand: () => Expression): Expression {
    return this.leftAssociative(operators, operand, (operator, left, right) => ({
      kind: "binary",
      operator,
      left,
      right,
      offset: left.offset
    }))
  }

  /** One level of left-associative operators. */
  protected leftAssociative<Symbol extends string>(
    operators: ReadonlyArray<Symbol>,
    operand: () => Expression,
    combine: (operator: Symbol, left: Expression, right: Expression) => Expression
  ): Expression {
    let left = operand()
    for (;;) {
      const operator = operators.find((candidate) => this.stream.skip("operator", candidate))
      if (operator === undefined) return left
      left = combine(operator, left, operand())
    }
  }
}
