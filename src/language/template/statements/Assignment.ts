/** Everything that binds names to values: `{% set %}` in both forms, `{% with %}`, and the targets that loops share. */
import type { Expression } from "../../expression/Ast.ts"
import { valueFault } from "../../expression/Fault.ts"
import { collect } from "../../expression/Iteration.ts"
import type { Runtime } from "../../expression/Runtime.ts"
import type { Statement, StatementOf, Target } from "../Ast.ts"
import { Namespace } from "../Globals.ts"
import type { Rendering } from "../Rendering.ts"
import type { StatementParser } from "../StatementParser.ts"
import { describeToken } from "../Token.ts"

export const parseSet = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const target = parseTarget(parser, [])
  if (stream.skip("operator", "=")) return { kind: "set", target, value: expressions.tuple(), offset }
  const filter = expressions.filterChain("bar")
  return { kind: "set block", target, filter, body: parser.wholeBody("set"), offset }
}

export const parseWith = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const bindings: Array<readonly [Target, Expression]> = []
  while (!stream.is("block end") && !stream.is("operator", ":")) {
    if (bindings.length > 0) stream.expect("operator", ",")
    const target = parseTarget(parser, [])
    stream.expect("operator", "=")
    bindings.push([target, expressions.expression()])
  }
  return { kind: "with", bindings, body: parser.wholeBody("with"), offset }
}

/** One name, `namespace.attribute`, or several with commas between. */
export const parseTarget = (parser: StatementParser, endNames: ReadonlyArray<string>): Target => {
  const { stream } = parser
  const { offset } = stream.current
  const items: Array<Target> = []
  let hasComma = false
  const ends = () => stream.is("block end") || stream.is("operator", ")") || stream.isAny("name", endNames)
  while (!ends()) {
    items.push(parseSingleTarget(parser))
    if (!stream.skip("operator", ",")) break
    hasComma = true
  }
  const [only] = items
  if (only !== undefined) return hasComma ? { kind: "tuple", items, offset } : only
  throw stream.fail(`Expected an expression, got '${describeToken(stream.current)}'`)
}

const parseSingleTarget = (parser: StatementParser): Target => {
  const { expressions, stream } = parser
  const { offset } = stream.current
  if (stream.skip("operator", "(")) {
    const inner = expressions.nested(() => parseTarget(parser, []))
    stream.expect("operator", ")")
    return inner
  }
  if (!stream.is("name")) {
    const { kind } = expressions.primary()
    throw stream.fail(`can't assign to '${kind === "literal" ? "const" : kind}'`, offset)
  }
  const name = parser.assignableName()
  if (!stream.skip("operator", ".")) return { kind: "name", name, offset }
  return { kind: "namespace", name, attribute: stream.expect("name").text, offset }
}

export const assign = (rendering: Rendering, target: Target, value: Runtime): void => {
  switch (target.kind) {
    case "name":
      return rendering.scope.set(target.name, value)
    case "tuple":
      return unpack(rendering, target.items, value)
    case "namespace": {
      const namespace = rendering.name(target.name)
      if (!(namespace instanceof Namespace)) throw valueFault("cannot assign attribute on non-namespace object")
      return namespace.assign(target.attribute, value)
    }
  }
}

const unpack = (rendering: Rendering, targets: ReadonlyArray<Target>, value: Runtime): void => {
  const values = collect(value, rendering.budget)
  if (values.length > targets.length) throw valueFault(`too many values to unpack (expected ${targets.length})`)
  if (values.length < targets.length) {
    throw valueFault(`not enough values to unpack (expected ${targets.length}, got ${values.length})`)
  }
  for (const [index, target] of targets.entries()) assign(rendering, target, values[index] ?? null)
}

export const runSet = (rendering: Rendering, { target, value }: StatementOf<"set">): void =>
  assign(rendering, target, rendering.evaluate(value))

export const runSetBlock = (rendering: Rendering, { body, filter, target }: StatementOf<"set block">): void => {
  const captured = rendering.captureValue(() => rendering.inner(() => rendering.run(body)))
  assign(rendering, target, filter === undefined ? captured : rendering.pipe(filter, captured))
}

/** All values are evaluated before any name is bound. */
export const runWith = (rendering: Rendering, { bindings, body }: StatementOf<"with">): void => {
  const values = bindings.map(([target, value]) => [target, rendering.evaluate(value)] as const)
  rendering.inner(() => {
    for (const [target, value] of values) assign(rendering, target, value)
    rendering.run(body)
  })
}
