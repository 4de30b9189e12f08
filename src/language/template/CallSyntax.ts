/** What follows a value in brackets: the arguments of calls, filters and tests, and subscripts with slices. */
import type { CallArguments, Expression } from "../expression/Ast.ts"
import type { ExpressionParser } from "./ExpressionParser.ts"

export const noArguments: CallArguments = { positional: [], named: [] }

/** From `(` to `)`. */
export const parseArguments = (parser: ExpressionParser): CallArguments => {
  const { stream } = parser
  const { offset } = stream.expect("operator", "(")
  const positional: Array<Expression> = []
  const named: Array<readonly [string, Expression]> = []
  let spread: Expression | undefined
  let spreadNamed: Expression | undefined
  const ensure = (valid: boolean): void => {
    if (!valid) throw stream.fail("invalid syntax for function call expression", offset)
  }
  let isFirst = true
  while (!stream.is("operator", ")")) {
    if (!isFirst) stream.expect("operator", ",")
    if (!isFirst && stream.is("operator", ")")) break
    isFirst = false
    if (stream.skip("operator", "*")) {
      ensure(spread === undefined && spreadNamed === undefined)
      spread = parser.expression()
    } else if (stream.skip("operator", "**")) {
      ensure(spreadNamed === undefined)
      spreadNamed = parser.expression()
    } else if (stream.is("name") && stream.followedBy("operator", "=")) {
      ensure(spreadNamed === undefined)
      const name = stream.next().text
      if (named.some(([other]) => other === name)) throw stream.fail(`keyword argument repeated: ${name}`, offset)
      stream.next()
      named.push([name, parser.expression()])
    } else {
      ensure(spread === undefined && spreadNamed === undefined && named.length === 0)
      positional.push(parser.expression())
    }
  }
  stream.expect("operator", ")")
  return { positional, named, spread, spreadNamed }
}

type Subscript = Expression | { readonly kind: "bounds"; readonly parts: ReadonlyArray<Expression | undefined> }

const parseSubscripted = (parser: ExpressionParser): Subscript => {
  const { stream } = parser
  const ends = () => stream.is("operator", "]") || stream.is("operator", ",")
  const first = stream.is("operator", ":") ? undefined : parser.expression()
  if (first !== undefined && !stream.is("operator", ":")) return first
  const parts = [first]
  while (parts.length < 3 && stream.skip("operator", ":")) {
    parts.push(stream.is("operator", ":") || ends() ? undefined : parser.expression())
  }
  return { kind: "bounds", parts }
}

/** After `[`, to `]`. */
export const parseSubscript = (parser: ExpressionParser, target: Expression, offset: number): Expression => {
  const { stream } = parser
  const subscripts: Array<Subscript> = []
  while (!stream.is("operator", "]")) {
    if (subscripts.length > 0) stream.expect("operator", ",")
    subscripts.push(parseSubscripted(parser))
  }
  stream.expect("operator", "]")
  const [only] = subscripts
  if (subscripts.length === 1 && only !== undefined) {
    if (only.kind !== "bounds") return { kind: "item", target, key: only, offset }
    const [start, stop, step] = only.parts
    return { kind: "slice", target, start, stop, step, offset }
  }
  const items = subscripts.filter((subscript) => subscript.kind !== "bounds")
  if (items.length < subscripts.length) throw stream.fail("slices cannot be combined with other subscripts", offset)
  return { kind: "item", target, key: { kind: "tuple", items, offset }, offset }
}
