/** Tags that use another template in the middle of one: `{% include %}`, `{% import %}` and `{% from %}`. */
import type { Expression } from "../../expression/Ast.ts"
import type { Statement, StatementOf } from "../Ast.ts"
import { Module } from "../Module.ts"
import type { Rendering } from "../Rendering.ts"
import { Scope } from "../Scope.ts"
import type { StatementParser } from "../StatementParser.ts"
import { runUnit } from "./Blocks.ts"

export const parseInclude = (parser: StatementParser, offset: number): Statement => {
  const template = parser.expressions.expression()
  const ignoreMissing = skipWords(parser, "ignore", "missing")
  return { kind: "include", template, ignoreMissing, withContext: parseContext(parser) ?? true, offset }
}

export const parseImport = (parser: StatementParser, offset: number): Statement => {
  const template = parser.expressions.expression()
  parser.stream.expect("name", "as")
  const target = parser.assignableName()
  return { kind: "import", template, target, withContext: parseContext(parser) ?? false, offset }
}

export const parseFrom = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const template = expressions.expression()
  stream.expect("name", "import")
  const names: Array<{ readonly name: string; readonly alias: string }> = []
  let withContext: boolean | undefined
  for (;;) {
    withContext = names.length > 0 || stream.is("name") ? parseContext(parser) : undefined
    if (withContext !== undefined) break
    const place = stream.current.offset
    const name = parser.assignableName()
    if (name.startsWith("_")) throw stream.fail("names starting with an underline can not be imported", place)
    names.push({ name, alias: stream.skip("name", "as") ? parser.assignableName() : name })
    withContext = parseContext(parser)
    if (withContext !== undefined || !stream.skip("operator", ",")) break
    if (stream.is("block end")) break
  }
  return { kind: "from", template, names, withContext: withContext ?? false, offset }
}

const skipWords = ({ stream }: StatementParser, first: string, second: string): boolean => {
  if (!stream.is("name", first) || !stream.followedBy("name", second)) return false
  stream.next()
  stream.next()
  return true
}

/** `with context` or `without context`; undefined when neither is there. */
const parseContext = (parser: StatementParser): boolean | undefined => {
  if (skipWords(parser, "with", "context")) return true
  return skipWords(parser, "without", "context") ? false : undefined
}

export const runInclude = (rendering: Rendering, statement: StatementOf<"include">): void => {
  const { budget, templates } = rendering
  const names = rendering.evaluate(statement.template)
  const unit = statement.ignoreMissing ? templates.loadIfFound(names, budget) : templates.load(names, budget)
  if (unit === undefined) return
  runUnit(rendering, unit, new Scope(statement.withContext ? rendering.scope : rendering.bare))
}

const runModule = (rendering: Rendering, template: Expression, withContext: boolean): Module => {
  const unit = rendering.load(template)
  const top = new Scope(withContext ? rendering.scope : rendering.bare)
  const text = rendering.capture(() => runUnit(rendering, unit, top))
  return new Module(unit.name ?? "", text, top.own())
}

export const runImport = (rendering: Rendering, statement: StatementOf<"import">): void =>
  rendering.scope.set(statement.target, runModule(rendering, statement.template, statement.withContext))

export const runFrom = (rendering: Rendering, statement: StatementOf<"from">): void => {
  const module = runModule(rendering, statement.template, statement.withContext)
  for (const { alias, name } of statement.names) rendering.scope.set(alias, module.exported(name))
}
