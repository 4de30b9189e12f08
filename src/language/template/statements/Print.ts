/** `{% print %}`, and the tags that change the text of their body: `{% filter %}` and `{% autoescape %}`. */
import { isTrue } from "../../expression/Comparison.ts"
import type { Statement, StatementOf } from "../Ast.ts"
import type { Rendering } from "../Rendering.ts"
import type { StatementParser } from "../StatementParser.ts"

export const parsePrint = ({ expressions, stream }: StatementParser, offset: number): ReadonlyArray<Statement> => {
  const prints: Array<Statement> = []
  while (!stream.is("block end")) {
    if (prints.length > 0) stream.expect("operator", ",")
    prints.push({ kind: "print", value: expressions.expression(), offset })
  }
  return prints
}

export const parseFilter = (parser: StatementParser, offset: number): Statement => {
  const filter = parser.expressions.filterChain("bare")
  if (filter === undefined) throw parser.stream.fail("expected a filter")
  return { kind: "filter block", filter, body: parser.wholeBody("filter"), offset }
}

export const parseAutoescape = (parser: StatementParser, offset: number): Statement => {
  const enabled = parser.expressions.expression()
  return { kind: "autoescape", enabled, body: parser.wholeBody("autoescape"), offset }
}

export const runFilter = (rendering: Rendering, { body, filter }: StatementOf<"filter block">): void => {
  const captured = rendering.captureValue(() => rendering.inner(() => rendering.run(body)))
  rendering.print(rendering.pipe(filter, captured))
}

export const runAutoescape = (rendering: Rendering, { body, enabled }: StatementOf<"autoescape">): void => {
  const isOn = isTrue(rendering.evaluate(enabled))
  rendering.withEscaping(isOn, () => rendering.inner(() => rendering.run(body)))
}
