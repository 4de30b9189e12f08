/**
 * Parses the expressions of templates, with Jinja's own grammar: filters and tests bind tighter than arithmetic, `**` is
 * left-associative, and a minus belongs to the operand before `**` does. These rules are what differs from conditions.
 */
import type { CallArguments, Expression } from "../expression/Ast.ts"
import { Grammar } from "../expression/Grammar.ts"
import { noArguments, parseArguments, parseSubscript } from "./CallSyntax.ts"
import type { TemplateTokens } from "./TemplateTokens.ts"
import { describeToken } from "./Token.ts"

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null]
])

export const isConstantName = (name: string): boolean => constants.has(name)

export type Choice = "with choice" | "without choice"

/** A filter or test that is used. One in a branch that may never run is only missed when it runs. */
export interface Reference {
  readonly kind: "filter" | "test"
  readonly name: string
  readonly offset: number
  certainty: "always" | "in a branch"
}

export class ExpressionParser extends Grammar {
  readonly references: Array<Reference> = []
  #certainty: Reference["certainty"] = "always"
  /** The names read inside each macro that is being parsed, innermost last. */
  readonly readNames: Array<Set<string>> = []

  constructor(override readonly stream: TemplateTokens) {
    super(stream)
  }

  /** What the references that `parse` finds are. */
  within<A>(certainty: Reference["certainty"], parse: () => A): A {
    const outer = this.#certainty
    this.#certainty = certainty
    const result = parse()
    this.#certainty = outer
    return result
  }

  override expression(choice: Choice = "with choice"): Expression {
    return this.nested(() => (choice === "with choice" ? this.#choice() : this.or()))
  }

  #choice(): Expression {
    const firstReference = this.references.length
    let result = this.or()
    while (this.stream.skip("name", "if")) {
      const test = this.or()
      const otherwise = this.stream.skip("name", "else") ? this.nested(() => this.#choice()) : undefined
      for (const reference of this.references.slice(firstReference)) reference.certainty = "in a branch"
      result = { kind: "choice", test, consequent: result, otherwise, offset: result.offset }
    }
    return result
  }

  protected override operand(): Expression {
    return this.binary(["+", "-"], () => this.#concat())
  }

  #concat(): Expression {
    const first = this.#product()
    const parts = [first]
    while (this.stream.skip("operator", "~")) parts.push(this.#product())
    return parts.length === 1 ? first : { kind: "concat", parts, offset: first.offset }
  }

  #product(): Expression {
    return this.binary(["*", "/", "//", "%"], () => this.binary(["**"], () => this.#unary("with filters")))
  }

  #unary(filters: "with filters" | "without filters"): Expression {
    const { offset } = this.stream.current
    const sign = (["-", "+"] as const).find((candidate) => this.stream.skip("operator", candidate))
    const operand: Expression =
      sign === undefined
        ? this.primary()
        : { kind: "unary", operator: sign, operand: this.nested(() => this.#unary("without filters")), offset }
    const target = this.#postfix(operand)
    return filters === "with filters" ? this.#filtersAndTests(target) : target
  }

  primary(): Expression {
    const { stream } = this
    const token = stream.current
    const { offset } = token
    switch (token.kind) {
      case "name": {
        stream.next()
        const constant = constants.get(token.text)
        if (constant !== undefined) return { kind: "literal", value: constant, offset }
        for (const names of this.readNames) names.add(token.text)
        return { kind: "name", name: token.text, offset }
      }
      case "string": {
        let value = ""
        while (stream.is("string")) value += stream.next().text
        return { kind: "literal", value, offset }
      }
      case "integer":
      case "float":
        stream.next()
        return { kind: "literal", value: token.value, offset }
      default:
        break
    }
    if (stream.skip("operator", "(")) {
      const inner = this.tuple({ parentheses: "explicit" })
      stream.expect("operator", ")")
      return inner
    }
    if (stream.skip("operator", "[")) return { kind: "list", items: this.#items("]", () => this.expression()), offset }
    if (stream.skip("operator", "{")) return { kind: "dict", entries: this.#items("}", () => this.#entry()), offset }
    throw stream.fail(`unexpected '${describeToken(token)}'`)
  }

  #entry(): readonly [Expression, Expression] {
    const key = this.expression()
    this.stream.expect("operator", ":")
    return [key, this.expression()]
  }

  #items<A>(closer: string, parse: () => A): ReadonlyArray<A> {
    const items: Array<A> = []
    while (!this.stream.is("operator", closer)) {
      if (items.length > 0) this.stream.expect("operator", ",")
      if (this.stream.is("operator", closer)) break
      items.push(parse())
    }
    this.stream.expect("operator", closer)
    return items
  }

  /** One expression, or a tuple when there is a comma. `endNames` are names that end it, such as `recursive`. */
  tuple(
    options: { choice?: Choice; parentheses?: "explicit" | "none"; endNames?: ReadonlyArray<string> } = {}
  ): Expression {
    const { offset } = this.stream.current
    const items: Array<Expression> = []
    let hasComma = false
    while (!this.#endsTuple(options.endNames ?? [])) {
      items.push(this.expression(options.choice))
      if (!this.stream.skip("operator", ",")) break
      hasComma = true
    }
    const [only] = items
    if (!hasComma && only !== undefined) return only
    if (!hasComma && options.parentheses !== "explicit") {
      throw this.stream.fail(`Expected an expression, got '${describeToken(this.stream.current)}'`)
    }
    return { kind: "tuple", items, offset }
  }

  #endsTuple(endNames: ReadonlyArray<string>): boolean {
    const { stream } = this
    return (
      stream.is("print end") || stream.is("block end") || stream.is("operator", ")") || stream.isAny("name", endNames)
    )
  }

  #postfix(start: Expression): Expression {
    let target = start
    for (;;) {
      const { offset } = this.stream.current
      if (this.stream.skip("operator", ".")) target = this.#member(target, offset)
      else if (this.stream.skip("operator", "[")) target = parseSubscript(this, target, offset)
      else if (this.stream.is("operator", "(")) target = { kind: "call", target, args: parseArguments(this), offset }
      else return target
    }
  }

  #member(target: Expression, offset: number): Expression {
    const token = this.stream.next()
    if (token.kind === "name") return { kind: "attribute", target, name: token.text, offset: token.offset }
    if (token.kind !== "integer") throw this.stream.fail("expected name or number", token.offset)
    return { kind: "item", target, key: { kind: "literal", value: token.value, offset: token.offset }, offset }
  }

  #filtersAndTests(start: Expression): Expression {
    let target = start
    for (;;) {
      const { offset } = this.stream.current
      if (this.stream.is("operator", "|")) target = this.#filter(target)
      else if (this.stream.is("name", "is")) target = this.#test(target)
      else if (this.stream.is("operator", "(")) target = { kind: "call", target, args: parseArguments(this), offset }
      else return target
    }
  }

  #dottedName(): string {
    let name = this.stream.expect("name").text
    while (this.stream.skip("operator", ".")) name += `.${this.stream.expect("name").text}`
    return name
  }

  #filter(target: Expression): Expression {
    this.stream.expect("operator", "|")
    return this.#filterCall(target)
  }

  #filterCall(target: Expression | undefined): Expression {
    const { offset } = this.stream.current
    const name = this.#dottedName()
    this.references.push({ kind: "filter", name, offset, certainty: this.#certainty })
    const args = this.stream.is("operator", "(") ? parseArguments(this) : noArguments
    return { kind: "filter", target, name, args, offset }
  }

  /** The filters of `{% filter a | b %}`, or of `{% set x | a | b %}` when they begin with a bar. */
  filterChain(begin: "bare" | "bar"): Expression | undefined {
    let chain = begin === "bare" ? this.#filterCall(undefined) : undefined
    while (this.stream.skip("operator", "|")) chain = this.#filterCall(chain)
    return chain
  }

  #test(target: Expression): Expression {
    const { stream } = this
    const { offset } = stream.expect("name", "is")
    const isNegated = stream.skip("name", "not")
    const place = stream.current.offset
    const name = this.#dottedName()
    this.references.push({ kind: "test", name, offset: place, certainty: this.#certainty })
    const test: Expression = { kind: "test", target, name, args: this.#testArguments(), offset }
    return isNegated ? { kind: "unary", operator: "not", operand: test, offset } : test
  }

  /** `is divisibleby 3` needs no parentheses. */
  #testArguments(): CallArguments {
    const { stream } = this
    if (stream.is("operator", "(")) return parseArguments(this)
    const { kind, text } = stream.current
    const starts = kind === "name" || kind === "string" || kind === "integer" || kind === "float"
    if (!starts && !stream.isAny("operator", ["[", "{"])) return noArguments
    if (kind === "name" && ["else", "or", "and"].includes(text)) return noArguments
    if (kind === "name" && text === "is") throw stream.fail("You cannot chain multiple tests with is")
    return { positional: [this.#postfix(this.primary())], named: [] }
  }
}
