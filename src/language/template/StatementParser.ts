/**
 * Parses text, `{{ }}` and the frame of `{% %}` tags: which bodies are open and what ends them. What is inside each kind of
 * tag is parsed in `statements/`.
 */
import { nearest } from "../../domain/NearMatch.ts"
import type { Fault } from "../expression/Fault.ts"
import type { BlockDefinition, Body, Statement } from "./Ast.ts"
import { ExpressionParser, isConstantName, type Reference } from "./ExpressionParser.ts"
import type { TemplateTokens } from "./TemplateTokens.ts"

export interface ParsedTemplate {
  readonly body: Body
  readonly blocks: ReadonlyMap<string, BlockDefinition>
  readonly references: ReadonlyArray<Reference>
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

/** What follows the name of a tag, up to the end of the tag or of its body. `offset` is where the name begins. */
export type ParseTag = (parser: StatementParser, offset: number) => Statement | ReadonlyArray<Statement>
export type Tags = ReadonlyMap<string, ParseTag>

export class StatementParser {
  readonly expressions: ExpressionParser
  readonly blocks = new Map<string, BlockDefinition>()
  /** The tags that are open, with what would end or continue each. */
  readonly #open: Array<{ readonly tag: string; readonly ends: ReadonlyArray<string> }> = []

  constructor(
    readonly stream: TemplateTokens,
    readonly tags: Tags
  ) {
    this.expressions = new ExpressionParser(stream)
  }

  template(): ParsedTemplate {
    const body = this.#statements([])
    return { body, blocks: this.blocks, references: this.expressions.references }
  }

  /** Up to the end of the template, or to a tag of `ends`, which stays the current token. */
  #statements(ends: ReadonlyArray<string>): Body {
    const { stream } = this
    const body: Array<Statement> = []
    while (!stream.is("end")) {
      const { offset } = stream.current
      if (stream.is("text")) body.push({ kind: "text", text: stream.next().text, offset })
      else if (stream.skip("print begin")) {
        body.push({ kind: "print", value: this.expressions.tuple(), offset })
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

  /** What would end or continue the innermost open tag. */
  get #expected(): string {
    return (this.#open.at(-1)?.ends ?? []).map((name) => `'${name}'`).join(" or ")
  }

  #unclosed(): Fault {
    const innermost = this.#open.at(-1)
    return this.stream.fail(
      `Unexpected end of template. Looking for ${this.#expected}; the innermost block that needs to be closed is '${innermost?.tag ?? ""}'.`
    )
  }

  #statement(): Statement | ReadonlyArray<Statement> {
    const token = this.stream.current
    if (token.kind !== "name") throw this.stream.fail("tag name expected")
    const parse = this.tags.get(token.text)
    if (parse === undefined) throw this.#unknownTag(token.text)
    this.stream.next()
    return this.expressions.nested(() => parse(this, token.offset))
  }

  #unknownTag(name: string): Fault {
    const innermost = this.#open.at(-1)
    const fault = this.stream.fail(
      `Encountered unknown tag '${name}'.` +
        (endings.includes(name) ? " You probably made a nesting mistake." : "") +
        (innermost === undefined ? "" : ` The innermost block is '${innermost.tag}', which needs ${this.#expected}.`)
    )
    fault.suggestion = nearest(name, [...this.tags.keys(), ...(innermost?.ends ?? endings)])
    return fault
  }

  /** The body of a tag whose own expressions are parsed; the ending tag becomes the current token. */
  body(tag: string, ends: ReadonlyArray<string>, certainty: Reference["certainty"] = "always"): Body {
    this.stream.skip("operator", ":")
    this.stream.expect("block end")
    this.#open.push({ tag, ends })
    const body = this.expressions.within(certainty, () => this.#statements(ends))
    this.#open.pop()
    return body
  }

  /** Like `body`, with one possible ending, which is consumed. */
  wholeBody(tag: string): Body {
    const body = this.body(tag, [`end${tag}`])
    this.stream.next()
    return body
  }

  assignableName(): string {
    const token = this.stream.expect("name")
    if (isConstantName(token.text)) throw this.stream.fail("can't assign to 'const'", token.offset)
    return token.text
  }
}
