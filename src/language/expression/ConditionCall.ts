/** What follows a value in brackets in conditions: the arguments of calls, and subscripts with slices. */
import type { CallArguments, Expression } from "./Ast.ts"
import { skipComprehension } from "./ConditionAtom.ts"
import type { ConditionParser } from "./ConditionParser.ts"
import { unsupported } from "./Unsupported.ts"

/** After `(`, to `)`. */
export const parseArguments = (parser: ConditionParser): CallArguments => {
  const { stream } = parser
  const positional: Array<Expression> = []
  const named: Array<readonly [string, Expression]> = []
  while (!stream.is("operator", ")")) {
    const { offset, text } = stream.current
    if (stream.skip("operator", "**")) {
      parser.expression()
      positional.push(unsupported("unpacking with '**'", offset))
    } else if (stream.is("name") && stream.followedBy("operator", "=")) {
      stream.next()
      stream.next()
      named.push([text, parser.expression()])
    } else {
      const argument = parser.nested(() => parser.starred())
      if (skipComprehension(parser)) positional.push(unsupported("a generator", offset))
      else if (named.length > 0) throw stream.fail("positional argument follows keyword argument")
      else positional.push(argument)
    }
    if (!stream.skip("operator", ",")) break
  }
  parser.expect(")")
  return { positional, named }
}

/** After `[`, to `]`. */
export const parseSubscript = (parser: ConditionParser, target: Expression, offset: number): Expression => {
  const { stream } = parser
  const ends = () => stream.isAny("operator", [":", "]", ","])
  const parts: Array<Expression | undefined> = [ends() ? undefined : parser.nested(() => parser.starred())]
  while (parts.length < 3 && stream.skip("operator", ":")) parts.push(ends() ? undefined : parser.expression())
  const [start, stop, step] = parts
  if (stream.is("operator", ",")) {
    while (stream.skip("operator", ",")) if (!stream.is("operator", "]")) parser.expression()
    parser.expect("]")
    return unsupported("a subscript with several parts", offset)
  }
  parser.expect("]")
  if (parts.length > 1) return { kind: "slice", target, start, stop, step, offset }
  if (start === undefined) throw stream.fail("expected an index between '[' and ']'")
  return { kind: "item", target, key: start, offset }
}
