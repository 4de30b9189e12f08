/** The templates that a template names in so many words, whether or not a rendering comes to the place. */
import type { Expression } from "../expression/Ast.ts"
import { textOf } from "../expression/Runtime.ts"
import type { Body, Statement } from "./Ast.ts"

/** Of a literal, of a list of them, and of a choice between them; what is computed has no names before it is rendered. */
const namesIn = (expression: Expression | undefined): ReadonlyArray<string> => {
  switch (expression?.kind) {
    case "literal": {
      const name = textOf(expression.value)
      return name === undefined ? [] : [name]
    }
    case "list":
    case "tuple":
      return expression.items.flatMap(namesIn)
    case "choice":
      return [expression.consequent, expression.otherwise].flatMap(namesIn)
    default:
      return []
  }
}

const bodiesOf = (statement: Statement): ReadonlyArray<Body> => {
  switch (statement.kind) {
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise]
    case "for":
      return [statement.body, statement.otherwise]
    case "set block":
    case "with":
    case "filter block":
    case "autoescape":
      return [statement.body]
    case "macro":
      return [statement.macro.body]
    case "call block":
      return [statement.caller.body]
    case "block":
      return [statement.block.body]
    default:
      return []
  }
}

const namedBy = (statement: Statement): ReadonlyArray<string> => {
  switch (statement.kind) {
    case "include":
    case "import":
    case "from":
    case "extends":
      return namesIn(statement.template)
    default:
      return bodiesOf(statement).flatMap(namesInBody)
  }
}

/** In the order of the text; a name may be there several times. */
export const namesInBody = (body: Body): ReadonlyArray<string> => body.flatMap(namedBy)
