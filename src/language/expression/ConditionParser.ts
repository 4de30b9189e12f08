/**
 * Parses `when:` expressions: the expression grammar of the host language, of which some forms are left out when they
 * are evaluated (workflow language §3.3). Apart from the template grammar because precedence differs: `**` binds to the
 * right and before a minus, `|` is arithmetic, `is` compares, and there are no filters.
 */
import type { Bitwise, CallArguments, Comparator, Expression, FormattedPart } from "./Ast.ts"
import { type ConditionToken, type RawPart, tokenizeCondition } from "./ConditionLexer.ts"
import { Fault } from "./Fault.ts"
import type { Operator } from "./Operators.ts"
import { Opaque } from "./Runtime.ts"

const deepest = 100
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["True", true],
  ["False", false],
  ["None", null]
])
const keywords = new Set(
  (
    "and or not in is if else lambda for while def class return import from as with try except finally raise del pass " +
    "break continue global nonlocal assert yield async await elif"
  ).split(" ")
)
const symbols: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="])
const bitwiseLevels: ReadonlyArray<ReadonlyArray<Bitwise>> = [["|"], ["^"], ["&"], ["<<", ">>"]]
const assignments = new Set(["=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", "@="])
const noList = "compare with each value, as in a == 'x' or a == 'y'"

/** Throws a syntax `Fault`. Of several statements only the first counts. */
export const parseCondition = (text: string): Expression => new ConditionParser(text, 0, 0).condition()

class ConditionParser {
  readonly #tokens: ReadonlyArray<ConditionToken>
  #position = 0

  constructor(
    source: string,
    /** Where `source` begins in the condition: the expressions of f-strings are parsed on their own. */
    readonly base: number,
    private depth: number
  ) {
    this.#tokens = tokenizeCondition(source)
  }

  get #current(): ConditionToken {
    return this.#tokens[this.#position] ?? { kind: "end", text: "end of the expression", offset: 0 }
  }

  get #offset(): number {
    return this.#current.offset + this.base
  }

  #fail(reason: string): Fault {
    const fault = new Fault("syntax", reason)
    fault.offset = this.#offset
    return fault
  }

  #is(text: string, kind: "operator" | "name" = "operator"): boolean {
    return this.#current.kind === kind && this.#current.text === text
  }

  #skip(text: string, kind: "operator" | "name" = "operator"): boolean {
    const found = this.#is(text, kind)
    if (found) this.#position += 1
    return found
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#fail(`expected '${text}', got '${this.#current.text}'`)
  }

  #nested<A>(parse: () => A): A {
    this.depth += 1
    if (this.depth > deepest) throw this.#fail(`nested more than ${deepest} levels deep`)
    const result = parse()
    this.depth -= 1
    return result
  }

  #atEnd(): boolean {
    return this.#current.kind === "end"
  }

  #atLineEnd(): boolean {
    return this.#current.kind === "line end"
  }

  condition(): Expression {
    if (this.#atEnd()) throw this.#fail("the expression is empty")
    const first = this.#statement()
    while (this.#skip(";") || this.#atLineEnd()) {
      while (this.#atLineEnd()) this.#position += 1
      if (!this.#atEnd()) this.#statement()
    }
    if (!this.#atEnd()) throw this.#unexpected()
    return first
  }

  /** The whole text is one expression: used for the fields of f-strings. */
  field(): Expression {
    const expression = this.#tuple()
    if (!this.#atEnd()) throw this.#unexpected()
    return expression
  }

  #unexpected(): Fault {
    const { kind, text } = this.#current
    const next = this.#tokens[this.#position + 1]?.text
    const previous = this.#tokens[this.#position - 1]?.text
    if (text === "&" && previous === "&") return this.#fail("unexpected '&&'; use 'and'")
    if (text === "|" && previous === "|") return this.#fail("unexpected '||'; use 'or'")
    if (text === "{" && next === "{")
      return this.#fail("unexpected '{{'; close it with '}}' to write the condition as a template")
    return this.#fail(
      kind === "line end" ? "unexpected line end; put the expression in parentheses" : `unexpected '${text}'`
    )
  }

  /** An assignment counts as its right-hand side, as in the reference. */
  #statement(): Expression {
    let value = this.#tuple()
    while (this.#current.kind === "operator" && assignments.has(this.#current.text)) {
      if (!["name", "attribute", "item", "slice", "unsupported"].includes(value.kind)) {
        throw this.#fail("cannot assign to this expression; use '==' to compare")
      }
      this.#position += 1
      value = this.#tuple()
    }
    return value
  }

  #tuple(): Expression {
    const offset = this.#offset
    const first = this.#starred()
    if (!this.#is(",")) return first
    while (this.#skip(",")) if (this.#startsExpression()) this.#starred()
    return { kind: "unsupported", what: "a tuple", remedy: noList, offset }
  }

  #startsExpression(): boolean {
    const { kind, text } = this.#current
    if (kind === "operator") return ["(", "[", "{", "+", "-", "~", "...", "*"].includes(text)
    if (kind === "name") return !keywords.has(text) || ["not", "lambda", "await"].includes(text)
    return kind !== "end" && kind !== "line end"
  }

  #starred(): Expression {
    const offset = this.#offset
    if (!this.#skip("*")) return this.#named()
    this.#bitwise(0)
    return { kind: "unsupported", what: "unpacking with '*'", remedy: undefined, offset }
  }

  /** `name := value`, valid in parentheses only, where it is not supported. */
  #named(): Expression {
    const offset = this.#offset
    const value = this.#expression()
    if (value.kind !== "name" || !this.#is(":=") || this.depth === 0) return value
    this.#position += 1
    this.#expression()
    return { kind: "unsupported", what: "an assignment", remedy: "use '==' to compare", offset }
  }

  #expression(): Expression {
    return this.#nested(() => {
      const offset = this.#offset
      if (this.#skip("lambda", "name")) return this.#lambda(offset)
      const then = this.#or()
      if (!this.#skip("if", "name")) return then
      const test = this.#or()
      if (!this.#skip("else", "name")) throw this.#fail("expected 'else' after 'if'")
      return { kind: "choice", test, then, otherwise: this.#expression(), offset }
    })
  }

  #lambda(offset: number): Expression {
    while (!this.#is(":")) {
      if (this.#current.kind !== "name" && !this.#is(",")) throw this.#unexpected()
      this.#position += 1
    }
    this.#expect(":")
    this.#expression()
    return { kind: "unsupported", what: "a function (lambda)", remedy: undefined, offset }
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#skip("or", "name")) left = { kind: "or", left, right: this.#and(), offset: left.offset }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#skip("and", "name")) left = { kind: "and", left, right: this.#not(), offset: left.offset }
    return left
  }

  #not(): Expression {
    const offset = this.#offset
    if (!this.#skip("not", "name")) return this.#compare()
    return { kind: "unary", operator: "not", operand: this.#nested(() => this.#not()), offset }
  }

  #comparator(): Comparator | undefined {
    const { kind, text } = this.#current
    if (kind === "operator" && symbols.has(text)) {
      this.#position += 1
      return text as Comparator
    }
    if (this.#skip("in", "name")) return "in"
    if (this.#skip("is", "name")) return this.#skip("not", "name") ? "is not" : "is"
    const next = this.#tokens[this.#position + 1]
    if (!this.#is("not", "name") || next?.kind !== "name" || next.text !== "in") return undefined
    this.#position += 2
    return "not in"
  }

  #compare(): Expression {
    const first = this.#bitwise(0)
    const rest: Array<readonly [Comparator, Expression]> = []
    for (let comparator = this.#comparator(); comparator !== undefined; comparator = this.#comparator()) {
      rest.push([comparator, this.#bitwise(0)])
    }
    return rest.length === 0 ? first : { kind: "compare", first, rest, offset: first.offset }
  }

  /** `|`, `^`, `&` and shifts, from loose to tight. */
  #bitwise(level: number): Expression {
    const operators = bitwiseLevels[level]
    if (operators === undefined) return this.#binary(["+", "-"], () => this.#product())
    let left = this.#bitwise(level + 1)
    for (;;) {
      const operator = operators.find((candidate) => this.#skip(candidate))
      if (operator === undefined) return left
      left = { kind: "bitwise", operator, left, right: this.#bitwise(level + 1), offset: left.offset }
    }
  }

  #product(): Expression {
    const left = this.#binary(["*", "/", "//", "%"], () => this.#factor())
    if (!this.#skip("@")) return left
    this.#product()
    return { kind: "unsupported", what: "matrix multiplication", remedy: undefined, offset: left.offset }
  }

  #binary(operators: ReadonlyArray<Operator>, operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = operators.find((candidate) => this.#skip(candidate))
      if (operator === undefined) return left
      left = { kind: "binary", operator, left, right: operand(), offset: left.offset }
    }
  }

  #factor(): Expression {
    const offset = this.#offset
    const operator = (["-", "+", "~"] as const).find((candidate) => this.#skip(candidate))
    if (operator !== undefined) return { kind: "unary", operator, operand: this.#nested(() => this.#factor()), offset }
    const isAwait = this.#skip("await", "name")
    const base = this.#primary()
    if (isAwait) return { kind: "unsupported", what: "await", remedy: undefined, offset }
    if (!this.#skip("**")) return base
    return { kind: "binary", operator: "**", left: base, right: this.#nested(() => this.#factor()), offset }
  }

  #primary(): Expression {
    let target = this.#atom()
    for (;;) {
      const offset = this.#offset
      if (this.#skip(".")) {
        if (this.#current.kind !== "name" || keywords.has(this.#current.text))
          throw this.#fail("expected a name after '.'")
        target = { kind: "attribute", target, name: this.#current.text, offset: this.#offset }
        this.#position += 1
      } else if (this.#skip("(")) target = { kind: "call", target, args: this.#arguments(), offset }
      else if (this.#skip("[")) target = this.#subscript(target, offset)
      else return target
    }
  }

  #arguments(): CallArguments {
    const positional: Array<Expression> = []
    const named: Array<readonly [string, Expression]> = []
    while (!this.#is(")")) {
      const offset = this.#offset
      const next = this.#tokens[this.#position + 1]
      if (this.#skip("**")) {
        this.#expression()
        positional.push({ kind: "unsupported", what: "unpacking with '**'", remedy: undefined, offset })
      } else if (this.#current.kind === "name" && next?.kind === "operator" && next.text === "=") {
        const name = this.#current.text
        this.#position += 2
        named.push([name, this.#expression()])
      } else {
        const argument = this.#nested(() => this.#starred())
        if (this.#comprehension())
          positional.push({ kind: "unsupported", what: "a generator", remedy: undefined, offset })
        else if (named.length > 0) throw this.#fail("positional argument follows keyword argument")
        else positional.push(argument)
      }
      if (!this.#skip(",")) break
    }
    this.#expect(")")
    return { positional, named }
  }

  #subscript(target: Expression, offset: number): Expression {
    const ends = () => this.#is(":") || this.#is("]") || this.#is(",")
    const parts: Array<Expression | undefined> = [ends() ? undefined : this.#nested(() => this.#starred())]
    while (parts.length < 3 && this.#skip(":")) parts.push(ends() ? undefined : this.#expression())
    const [start, stop, step] = parts
    if (this.#is(",")) {
      while (this.#skip(",")) if (!this.#is("]")) this.#expression()
      this.#expect("]")
      return { kind: "unsupported", what: "a subscript with several parts", remedy: undefined, offset }
    }
    this.#expect("]")
    if (parts.length > 1) return { kind: "slice", target, start, stop, step, offset }
    if (start === undefined) throw this.#fail("expected an index between '[' and ']'")
    return { kind: "item", target, key: start, offset }
  }

  #atom(): Expression {
    const token = this.#current
    const offset = this.#offset
    switch (token.kind) {
      case "value":
        this.#position += 1
        return { kind: "literal", value: token.value, offset }
      case "string":
      case "formatted":
        return this.#strings(offset)
      case "bytes":
        while (this.#current.kind === "bytes") this.#position += 1
        return { kind: "literal", value: new Opaque("bytes", "b''"), offset }
      case "name": {
        const constant = constants.get(token.text)
        if (constant === undefined && keywords.has(token.text)) throw this.#unexpected()
        this.#position += 1
        return constant === undefined
          ? { kind: "name", name: token.text, offset }
          : { kind: "literal", value: constant, offset }
      }
      default:
        break
    }
    if (this.#skip("...")) return { kind: "literal", value: new Opaque("ellipsis", "Ellipsis"), offset }
    if (this.#skip("(")) return this.#parenthesised(offset)
    if (this.#skip("[")) return this.#display("]", "a list", offset)
    if (this.#skip("{")) return this.#display("}", "a map or set", offset)
    throw this.#unexpected()
  }

  /** Texts that stand side by side are one; an f-string among them makes all an f-string. */
  #strings(offset: number): Expression {
    const parts: Array<string | FormattedPart> = []
    for (let token = this.#current; token.kind === "string" || token.kind === "formatted"; token = this.#current) {
      if (token.kind === "string") parts.push(token.value)
      else parts.push(...token.parts.map((part) => this.#part(part)))
      this.#position += 1
    }
    const texts = parts.filter((part) => typeof part === "string")
    return texts.length === parts.length
      ? { kind: "literal", value: texts.join(""), offset }
      : { kind: "format", parts, offset }
  }

  #part(part: RawPart): string | FormattedPart {
    if (typeof part === "string") return part
    const value = new ConditionParser(part.source.trim(), this.base + part.offset, this.depth + 1).field()
    return { value, specification: part.specification.map((inner) => this.#part(inner)) }
  }

  #parenthesised(offset: number): Expression {
    if (this.#skip(")")) return { kind: "unsupported", what: "a tuple", remedy: noList, offset }
    const inner = this.#nested(() => this.#tuple())
    const isGenerator = this.#comprehension()
    this.#expect(")")
    return isGenerator ? { kind: "unsupported", what: "a generator", remedy: undefined, offset } : inner
  }

  /** List, map and set literals and comprehensions: read, so that mistakes in them are found, and not supported. */
  #display(closer: string, what: string, offset: number): Expression {
    this.#nested(() => {
      while (!this.#is(closer)) {
        if (closer === "}" && this.#skip("**")) this.#bitwise(0)
        else this.#starred()
        if (closer === "}" && this.#skip(":")) this.#expression()
        if (this.#comprehension() || !this.#skip(",")) break
      }
      if (!this.#is(closer)) throw this.#unexpected()
      this.#expect(closer)
    })
    return { kind: "unsupported", what, remedy: noList, offset }
  }

  #comprehension(): boolean {
    if (!this.#is("for", "name") && !this.#is("async", "name")) return false
    while (this.#skip("async", "name") || this.#skip("for", "name")) {
      do this.#bitwise(0)
      while (this.#skip(","))
      if (!this.#skip("in", "name")) throw this.#fail("expected 'in'")
      this.#or()
      while (this.#skip("if", "name")) this.#or()
    }
    return true
  }
}
