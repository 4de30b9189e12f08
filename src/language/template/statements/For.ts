/** `{% for %}`: unpacking, a condition, `else`, and recursion through `loop()`. */
import type { Expression } from "../../expression/Ast.ts"
import { isTrue } from "../../expression/Comparison.ts"
import { iterate } from "../../expression/Iteration.ts"
import type { Runtime } from "../../expression/Runtime.ts"
import type { Statement, StatementOf, Target } from "../Ast.ts"
import { Loop } from "../Loop.ts"
import type { Rendering } from "../Rendering.ts"
import { Scope } from "../Scope.ts"
import type { StatementParser } from "../StatementParser.ts"
import { assign, parseTarget } from "./Assignment.ts"

export const parseFor = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const target = parseTarget(parser, ["in"])
  if (target.kind === "name" && target.name === "loop") {
    throw stream.fail("Can't assign to special loop variable in for-loop target", target.offset)
  }
  stream.expect("name", "in")
  const source = expressions.tuple({ choice: "without choice", endNames: ["recursive"] })
  const condition = stream.skip("name", "if") ? expressions.expression() : undefined
  const recursive = stream.skip("name", "recursive")
  const body = parser.body("for", ["endfor", "else"])
  const otherwise = stream.next().text === "else" ? parser.wholeBody("for") : []
  return { kind: "for", target, source, condition, recursive, body, otherwise, offset }
}

export const runFor = (rendering: Rendering, statement: StatementOf<"for">): void =>
  runLoop(rendering, statement, rendering.evaluate(statement.source), 1)

const runLoop = (rendering: Rendering, statement: StatementOf<"for">, source: Runtime, depth: number): void => {
  const { body, condition, otherwise, recursive, target } = statement
  const outer = rendering.scope
  const items = iterate(source, rendering.budget)
  const wanted = condition === undefined ? items : matching(rendering, items, target, condition)
  const recurse = (inner: Runtime, level: number) =>
    rendering.captureValue(() => rendering.within(outer, () => runLoop(rendering, statement, inner, level)))
  const loop = new Loop(wanted, depth, recursive ? recurse : undefined)
  let isEmpty = true
  for (let item = loop.advance(); item !== undefined; item = loop.advance()) {
    isEmpty = false
    const found = item
    rendering.within(new Scope(outer), () => {
      rendering.scope.set("loop", loop)
      assign(rendering, target, found)
      rendering.run(body)
    })
  }
  if (isEmpty) rendering.inner(() => rendering.run(otherwise))
}

function* matching(
  rendering: Rendering,
  items: Iterable<Runtime>,
  target: Target,
  condition: Expression
): IterableIterator<Runtime> {
  const outer = rendering.scope
  for (const item of items) {
    let matches = false
    rendering.within(new Scope(outer), () => {
      assign(rendering, target, item)
      matches = isTrue(rendering.evaluate(condition))
    })
    if (matches) yield item
  }
}
