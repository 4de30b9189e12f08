/** Parses the statements of templates (`{% ... %}`) and puts a whole template together. */
import type { Expression } from "../expression/Ast.ts"
import { nearest } from "../../domain/NearMatch.ts"
import type { BlockDefinition, Body, MacroDefinition, Signature, Statement, Target } from "./Ast.ts"
import { ExpressionParser, isConstantName, type Reference } from "./ExpressionParser.ts"
import { tokenize } from "./Lexer.ts"
import { describeToken } from "./Token.ts"
import { TokenStream } from "./TokenStream.ts"

export interface ParsedTemplate {
  readonly body: Body
  readonly blocks: ReadonlyMap<string, BlockDefinition>
  readonly references: ReadonlyArray<Reference>
}

/** `source` has normalised newlines. Throws a syntax `Fault`. */
export const parse = (source: string): ParsedTemplate => {
  const tokens = tokenize(source)
  const last = tokens.at(-1) ?? { kind: "end", text: "", value: null, offset: source.length }
  return new StatementParser(new TokenStream(tokens, last)).template()
}

const endings = [
  "endif",
  "endfor",
  "endset",
  "endwith",
  "endmacro",
  "endcall",
  "endfilter",
  "endblock",
  "endautoescape"
]

type Parse = (parser: StatementParser, offset: number) => Statement | ReadonlyArray<Statement>

class StatementParser {
  readonly #expressions: ExpressionParser
  readonly #blocks = new Map<string, BlockDefinition>()
  /** The tags that are open, with what would end or continue each. */
  readonly #open: Array<{ readonly tag: string; readonly ends: ReadonlyArray<string> }> = []

  constructor(readonly stream: TokenStream) {
    this.#expressions = new ExpressionParser(stream)
  }

  template(): ParsedTemplate {
    const body = this.#statements([])
    return { body, blocks: this.#blocks, references: this.#expressions.references }
  }

  /** Up to the end of the template, or to a tag of `ends`, which stays the current token. */
  #statements(ends: ReadonlyArray<string>): Body {
    const { stream } = this
    const body: Array<Statement> = []
    while (!stream.is("end")) {
      const { offset } = stream.current
      if (stream.is("text")) body.push({ kind: "text", text: stream.next().text, offset })
      else if (stream.skip("print begin")) {
        body.push({ kind: "print", value: this.#expressions.tuple(), offset })
        stream.expect("print end")
      } else {
        stream.expect("block begin")
        if (stream.isAny("name", ends)) return body
        const statement = this.#statement()
        if ("kind" in statement) body.push(statement)
        else body.push(...statement)
        stream.expect("block end")
      }
    }
    if (ends.length > 0) throw this.#unclosed()
    return body
  }

  #unclosed() {
    const innermost = this.#open.at(-1)
    const expected = (innermost?.ends ?? []).map((name) => `'${name}'`).join(" or ")
    return this.stream.fail(
      `Unexpected end of template. Looking for ${expected}; the innermost block that needs to be closed is '${innermost?.tag ?? ""}'.`
    )
  }

  #statement(): Statement | ReadonlyArray<Statement> {
    const token = this.stream.current
    if (token.kind !== "name") throw this.stream.fail("tag name expected")
    const parse = statements.get(token.text)
    if (parse === undefined) throw this.#unknownTag(token.text)
    this.stream.next()
    return this.#expressions.nested(() => parse(this, token.offset))
  }

  #unknownTag(name: string) {
    const innermost = this.#open.at(-1)
    const expected = (innermost?.ends ?? []).map((end) => `'${end}'`).join(" or ")
    const fault = this.stream.fail(
      `Encountered unknown tag '${name}'.` +
        (endings.includes(name) ? " You probably made a nesting mistake." : "") +
        (innermost === undefined ? "" : ` The innermost block is '${innermost.tag}', which needs ${expected}.`)
    )
    fault.suggestion = nearest(name, [...statements.keys(), ...(innermost?.ends ?? endings)])
    return fault
  }

  /** The body of a tag whose own expressions are parsed; the ending tag becomes the current token. */
  #body(tag: string, ends: ReadonlyArray<string>, certainty: Reference["certainty"] = "always"): Body {
    this.stream.skip("operator", ":")
    this.stream.expect("block end")
    this.#open.push({ tag, ends })
    const outer = this.#expressions.certainty
    this.#expressions.certainty = certainty
    const body = this.#statements(ends)
    this.#expressions.certainty = outer
    this.#open.pop()
    return body
  }

  /** Like `#body`, with one possible ending, which is consumed. */
  #wholeBody(tag: string): Body {
    const body = this.#body(tag, [`end${tag}`])
    this.stream.next()
    return body
  }

  for(offset: number): Statement {
    const target = this.#target(["in"])
    if (target.kind === "name" && target.name === "loop") {
      throw this.stream.fail("Can't assign to special loop variable in for-loop target", target.offset)
    }
    this.stream.expect("name", "in")
    const source = this.#expressions.tuple({ choice: "without choice", endNames: ["recursive"] })
    const condition = this.stream.skip("name", "if") ? this.#expressions.expression() : undefined
    const recursive = this.stream.skip("name", "recursive")
    const body = this.#body("for", ["endfor", "else"])
    const otherwise = this.stream.next().text === "else" ? this.#wholeBody("for") : []
    return { kind: "for", target, source, condition, recursive, body, otherwise, offset }
  }

  if(offset: number): Statement {
    const branches: Array<{ readonly test: Expression; readonly body: Body }> = []
    const outer = this.#expressions.certainty
    for (;;) {
      this.#expressions.certainty = "in a branch"
      const test = this.#expressions.tuple({ choice: "without choice" })
      this.#expressions.certainty = outer
      branches.push({ test, body: this.#body("if", ["elif", "else", "endif"], "in a branch") })
      if (this.stream.skip("name", "elif")) continue
      if (this.stream.next().text === "endif") return { kind: "if", branches, otherwise: [], offset }
      const otherwise = this.#body("if", ["endif"], "in a branch")
      this.stream.next()
      return { kind: "if", branches, otherwise, offset }
    }
  }

  set(offset: number): Statement {
    const target = this.#target([])
    if (this.stream.skip("operator", "=")) return { kind: "set", target, value: this.#expressions.tuple(), offset }
    const filter = this.#expressions.filterChain("bar")
    return { kind: "set block", target, filter, body: this.#wholeBody("set"), offset }
  }

  with(offset: number): Statement {
    const bindings: Array<readonly [Target, Expression]> = []
    while (!this.stream.is("block end") && !this.stream.is("operator", ":")) {
      if (bindings.length > 0) this.stream.expect("operator", ",")
      const target = this.#target([])
      this.stream.expect("operator", "=")
      bindings.push([target, this.#expressions.expression()])
    }
    return { kind: "with", bindings, body: this.#wholeBody("with"), offset }
  }

  macro(offset: number): Statement {
    const name = this.#assignableName()
    return { kind: "macro", macro: this.#macro(name, "macro", this.#signature()), offset }
  }

  call(offset: number): Statement {
    const signature = this.stream.is("operator", "(") ? this.#signature() : { parameters: [], defaults: [] }
    const call = this.#expressions.expression()
    if (call.kind !== "call") throw this.stream.fail("expected call", offset)
    return { kind: "call block", call, caller: this.#macro("caller", "call", signature), offset }
  }

  #macro(name: string, tag: "macro" | "call", signature: Signature): MacroDefinition {
    const read = new Set<string>()
    this.#expressions.readNames.push(read)
    const body = this.#wholeBody(tag)
    this.#expressions.readNames.pop()
    const special = (["varargs", "kwargs", "caller"] as const).filter((candidate) => read.has(candidate))
    return { ...signature, name, body, uses: new Set(special) }
  }

  #signature(): Signature {
    const parameters: Array<string> = []
    const defaults: Array<Expression> = []
    this.stream.expect("operator", "(")
    while (!this.stream.is("operator", ")")) {
      if (parameters.length > 0) this.stream.expect("operator", ",")
      parameters.push(this.#assignableName())
      if (this.stream.skip("operator", "=")) defaults.push(this.#expressions.expression())
      else if (defaults.length > 0) throw this.stream.fail("non-default argument follows default argument")
    }
    this.stream.expect("operator", ")")
    return { parameters, defaults }
  }

  filter(offset: number): Statement {
    const filter = this.#expressions.filterChain("bare")
    if (filter === undefined) throw this.stream.fail("expected a filter")
    return { kind: "filter block", filter, body: this.#wholeBody("filter"), offset }
  }

  autoescape(offset: number): Statement {
    const enabled = this.#expressions.expression()
    return { kind: "autoescape", enabled, body: this.#wholeBody("autoescape"), offset }
  }

  block(offset: number): Statement {
    const { stream } = this
    const name = stream.expect("name").text
    const scoped = stream.skip("name", "scoped")
    const required = stream.skip("name", "required")
    if (stream.is("operator", "-")) throw stream.fail("block names may not contain hyphens, use an underscore instead")
    const body = this.#wholeBody("block")
    const isBlank = body.every((part) => part.kind === "text" && part.text.trim() === "")
    if (required && !isBlank) throw stream.fail("Required blocks can only contain comments or whitespace", offset)
    stream.skip("name", name)
    if (this.#blocks.has(name)) throw stream.fail(`block '${name}' defined twice`, offset)
    const block: BlockDefinition = { name, body, scoped, required }
    this.#blocks.set(name, block)
    return { kind: "block", block, offset }
  }

  print(offset: number): ReadonlyArray<Statement> {
    const prints: Array<Statement> = []
    while (!this.stream.is("block end")) {
      if (prints.length > 0) this.stream.expect("operator", ",")
      prints.push({ kind: "print", value: this.#expressions.expression(), offset })
    }
    return prints
  }

  extends(offset: number): Statement {
    return { kind: "extends", template: this.#expressions.expression(), offset }
  }

  include(offset: number): Statement {
    const template = this.#expressions.expression()
    const ignoreMissing = this.#skipWords("ignore", "missing")
    return { kind: "include", template, ignoreMissing, withContext: this.#withContext() ?? true, offset }
  }

  import(offset: number): Statement {
    const template = this.#expressions.expression()
    this.stream.expect("name", "as")
    const target = this.#assignableName()
    return { kind: "import", template, target, withContext: this.#withContext() ?? false, offset }
  }

  from(offset: number): Statement {
    const template = this.#expressions.expression()
    this.stream.expect("name", "import")
    const names: Array<{ readonly name: string; readonly alias: string }> = []
    let withContext: boolean | undefined
    for (;;) {
      withContext = names.length > 0 || this.stream.is("name") ? this.#withContext() : undefined
      if (withContext !== undefined) break
      const place = this.stream.current.offset
      const name = this.#assignableName()
      if (name.startsWith("_")) throw this.stream.fail("names starting with an underline can not be imported", place)
      names.push({ name, alias: this.stream.skip("name", "as") ? this.#assignableName() : name })
      withContext = this.#withContext()
      if (withContext !== undefined || !this.stream.skip("operator", ",")) break
      if (this.stream.is("block end")) break
    }
    return { kind: "from", template, names, withContext: withContext ?? false, offset }
  }

  #skipWords(first: string, second: string): boolean {
    const { stream } = this
    if (!stream.is("name", first) || stream.following.kind !== "name" || stream.following.text !== second) return false
    stream.next()
    stream.next()
    return true
  }

  #withContext(): boolean | undefined {
    if (this.#skipWords("with", "context")) return true
    return this.#skipWords("without", "context") ? false : undefined
  }

  #assignableName(): string {
    const token = this.stream.expect("name")
    if (isConstantName(token.text)) throw this.stream.fail("can't assign to 'const'", token.offset)
    return token.text
  }

  /** One name, `namespace.attribute`, or several with commas between. */
  #target(endNames: ReadonlyArray<string>): Target {
    const { stream } = this
    const { offset } = stream.current
    const items: Array<Target> = []
    let hasComma = false
    const ends = () => stream.is("block end") || stream.is("operator", ")") || stream.isAny("name", endNames)
    while (!ends()) {
      items.push(this.#singleTarget())
      if (!stream.skip("operator", ",")) break
      hasComma = true
    }
    const [only] = items
    if (only !== undefined) return hasComma ? { kind: "tuple", items, offset } : only
    throw stream.fail(`Expected an expression, got '${describeToken(stream.current)}'`)
  }

  #singleTarget(): Target {
    const { stream } = this
    const { offset } = stream.current
    if (stream.skip("operator", "(")) {
      const inner = this.#expressions.nested(() => this.#target([]))
      stream.expect("operator", ")")
      return inner
    }
    if (!stream.is("name")) {
      const { kind } = this.#expressions.primary()
      throw stream.fail(`can't assign to '${kind === "literal" ? "const" : kind}'`, offset)
    }
    const name = this.#assignableName()
    if (!stream.skip("operator", ".")) return { kind: "name", name, offset }
    return { kind: "namespace", name, attribute: stream.expect("name").text, offset }
  }
}

const statements: ReadonlyMap<string, Parse> = new Map<string, Parse>([
  ["for", (parser, offset) => parser.for(offset)],
  ["if", (parser, offset) => parser.if(offset)],
  ["set", (parser, offset) => parser.set(offset)],
  ["with", (parser, offset) => parser.with(offset)],
  ["macro", (parser, offset) => parser.macro(offset)],
  ["call", (parser, offset) => parser.call(offset)],
  ["filter", (parser, offset) => parser.filter(offset)],
  ["autoescape", (parser, offset) => parser.autoescape(offset)],
  ["block", (parser, offset) => parser.block(offset)],
  ["print", (parser, offset) => parser.print(offset)],
  ["extends", (parser, offset) => parser.extends(offset)],
  ["include", (parser, offset) => parser.include(offset)],
  ["import", (parser, offset) => parser.import(offset)],
  ["from", (parser, offset) => parser.from(offset)]
])
