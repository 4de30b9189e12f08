/** `{% macro %}` and `{% call %}`: bodies that run later, with the names they were defined among. */
import type { Expression } from "../../expression/Ast.ts"
import { type Runtime, Undefined } from "../../expression/Runtime.ts"
import type { MacroDefinition, Signature, Statement, StatementOf } from "../Ast.ts"
import { Macro, type RunMacro } from "../Macro.ts"
import type { Rendering } from "../Rendering.ts"
import { Scope } from "../Scope.ts"
import type { StatementParser } from "../StatementParser.ts"

export const parseMacro = (parser: StatementParser, offset: number): Statement => {
  const name = parser.assignableName()
  return { kind: "macro", macro: parseDefinition(parser, name, "macro", parseSignature(parser)), offset }
}

export const parseCall = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const signature = stream.is("operator", "(") ? parseSignature(parser) : { parameters: [], defaults: [] }
  const call = expressions.expression()
  if (call.kind !== "call") throw stream.fail("expected call", offset)
  return { kind: "call block", call, caller: parseDefinition(parser, "caller", "call", signature), offset }
}

const parseDefinition = (
  parser: StatementParser,
  name: string,
  tag: "macro" | "call",
  signature: Signature
): MacroDefinition => {
  const { readNames } = parser.expressions
  const read = new Set<string>()
  readNames.push(read)
  const body = parser.wholeBody(tag)
  readNames.pop()
  const special = (["varargs", "kwargs", "caller"] as const).filter((candidate) => read.has(candidate))
  return { ...signature, name, body, uses: new Set(special) }
}

const parseSignature = (parser: StatementParser): Signature => {
  const { expressions, stream } = parser
  const parameters: Array<string> = []
  const defaults: Array<Expression> = []
  stream.expect("operator", "(")
  while (!stream.is("operator", ")")) {
    if (parameters.length > 0) stream.expect("operator", ",")
    parameters.push(parser.assignableName())
    if (stream.skip("operator", "=")) defaults.push(expressions.expression())
    else if (defaults.length > 0) throw stream.fail("non-default argument follows default argument")
  }
  stream.expect("operator", ")")
  return { parameters, defaults }
}

export const runMacro = (rendering: Rendering, { macro }: StatementOf<"macro">): void =>
  rendering.scope.set(macro.name, define(rendering, macro))

export const runCall = (rendering: Rendering, { call, caller }: StatementOf<"call block">): void => {
  const macro: Expression = { kind: "literal", value: define(rendering, caller), offset: call.offset }
  const args = { ...call.args, named: [...call.args.named, ["caller", macro] as const] }
  rendering.print(rendering.evaluate({ ...call, args }))
}

const define = (rendering: Rendering, definition: MacroDefinition): Macro => {
  const { scope, unit } = rendering
  return new Macro(definition, (bound) => {
    const body = () => rendering.within(new Scope(scope), () => runBody(rendering, definition, bound))
    return rendering.captureValue(unit === undefined ? body : () => rendering.inUnit(unit, body))
  })
}

/** Defaults may use the parameters before them. */
const runBody = (
  rendering: Rendering,
  { body, defaults, name, parameters }: MacroDefinition,
  bound: Parameters<RunMacro>[0]
): void => {
  const firstDefault = parameters.length - defaults.length
  const fallback = (parameter: string): Runtime => {
    const expression = defaults[parameters.indexOf(parameter) - firstDefault]
    return expression === undefined
      ? new Undefined(`parameter '${parameter}' was not provided to '${name}'`, parameter)
      : rendering.evaluate(expression)
  }
  for (const [parameter, given] of bound) {
    rendering.scope.set(parameter, given === undefined ? fallback(parameter) : given)
  }
  rendering.run(body)
}
