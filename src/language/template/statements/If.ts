/** `{% if %}` with its branches. */
import type { Expression } from "../../expression/Ast.ts"
import { isTrue } from "../../expression/Comparison.ts"
import type { Body, Statement, StatementOf } from "../Ast.ts"
import type { Rendering } from "../Rendering.ts"
import type { StatementParser } from "../StatementParser.ts"

export const parseIf = (parser: StatementParser, offset: number): Statement => {
  const { expressions, stream } = parser
  const branches: Array<{ readonly test: Expression; readonly body: Body }> = []
  for (;;) {
    const test = expressions.within("in a branch", () => expressions.tuple({ choice: "without choice" }))
    branches.push({ test, body: parser.body("if", ["elif", "else", "endif"], "in a branch") })
    if (stream.skip("name", "elif")) continue
    if (stream.next().text === "endif") return { kind: "if", branches, otherwise: [], offset }
    const otherwise = parser.body("if", ["endif"], "in a branch")
    stream.next()
    return { kind: "if", branches, otherwise, offset }
  }
}

export const runIf = (rendering: Rendering, { branches, otherwise }: StatementOf<"if">): void => {
  const branch = branches.find(({ test }) => isTrue(rendering.evaluate(test)))
  rendering.run(branch === undefined ? otherwise : branch.body)
}
