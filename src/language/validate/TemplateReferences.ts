/**
 * Which names a template reads from its context: every chain `a.b.c` that begins with a name the template does not itself
 * define. Names reached through brackets, and names inside strings, are not seen. A template that cannot be parsed reads nothing.
 */
import { Either } from "effect"
import type { CallArguments, Expression, FormattedPart } from "../expression/Ast.ts"
import type { Body, MacroDefinition, Statement, Target } from "../template/Ast.ts"
import { normalizeNewlines } from "../template/Lexer.ts"
import { parse } from "../template/ParseTemplate.ts"

/** The names of a chain from its root on: `["planner", "output", "score"]`. */
export type Chain = readonly [string, ...ReadonlyArray<string>]

type Bound = ReadonlySet<string>

const bind = (bound: Bound, names: ReadonlyArray<string>): Bound =>
  names.length === 0 ? bound : new Set([...bound, ...names])

const targetNames = (target: Target): ReadonlyArray<string> => {
  if (target.kind === "tuple") return target.items.flatMap(targetNames)
  return target.kind === "name" ? [target.name] : []
}

/** What an expression is attributes of, and their names. A loop, because a chain may be as long as its author likes. */
const unchain = (expression: Expression): { readonly root: Expression; readonly names: ReadonlyArray<string> } => {
  const names: Array<string> = []
  let root = expression
  for (; root.kind === "attribute"; root = root.target) names.push(root.name)
  return { root, names: names.reverse() }
}

const present = (expressions: ReadonlyArray<Expression | undefined>): ReadonlyArray<Expression> =>
  expressions.filter((expression) => expression !== undefined)

const argumentsOf = ({ named, positional, spread, spreadNamed }: CallArguments): ReadonlyArray<Expression> =>
  present([...positional, ...named.map(([, value]) => value), spread, spreadNamed])

const formatted = (parts: ReadonlyArray<string | FormattedPart>): ReadonlyArray<Expression> =>
  parts.flatMap((part) => (typeof part === "string" ? [] : [part.value, ...formatted(part.specification)]))

/** The method that is called is no part of the data: `a.output.items()` reads `a.output`. */
const callee = (target: Expression): Expression => (target.kind === "attribute" ? target.target : target)

const parts = (expression: Expression): ReadonlyArray<Expression> => {
  switch (expression.kind) {
    case "literal":
    case "name":
    case "unsupported":
      return []
    case "list":
    case "tuple":
      return expression.items
    case "dict":
      return expression.entries.flat()
    case "binary":
    case "bitwise":
    case "and":
    case "or":
      return [expression.left, expression.right]
    case "unary":
      return [expression.operand]
    case "compare":
      return [expression.first, ...expression.rest.map(([, operand]) => operand)]
    case "choice":
      return present([expression.test, expression.consequent, expression.otherwise])
    case "attribute":
      return [expression.target]
    case "item":
      return [expression.target, expression.key]
    case "slice":
      return present([expression.target, expression.start, expression.stop, expression.step])
    case "call":
      return [callee(expression.target), ...argumentsOf(expression.args)]
    case "concat":
      return expression.parts
    case "filter":
      return [...present([expression.target]), ...argumentsOf(expression.args)]
    case "test":
      return [expression.target, ...argumentsOf(expression.args)]
    case "format":
      return formatted(expression.parts)
  }
}

/** Without recursion: `a + b + c …` nests as deeply as it is long. */
const inExpression = (expression: Expression, bound: Bound): ReadonlyArray<Chain> => {
  const chains: Array<Chain> = []
  const pending = [expression]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { names, root } = unchain(next)
    if (root.kind !== "name") pending.push(...parts(root).toReversed())
    else if (!bound.has(root.name)) chains.push([root.name, ...names])
  }
  return chains
}

const inMacro = (macro: MacroDefinition, bound: Bound): ReadonlyArray<Chain> => [
  ...macro.defaults.flatMap((value) => inExpression(value, bound)),
  ...inBody(macro.body, bind(bound, [...macro.parameters, "varargs", "kwargs", "caller"]))
]

/** Names that a statement leaves defined for the statements after it. */
const definedBy = (statement: Statement): ReadonlyArray<string> => {
  switch (statement.kind) {
    case "set":
    case "set block":
      return targetNames(statement.target)
    case "macro":
      return [statement.macro.name]
    case "import":
      return [statement.target]
    case "from":
      return statement.names.map(({ alias }) => alias)
    case "if":
      return [...statement.branches.map(({ body }) => body), statement.otherwise].flatMap((body) =>
        body.flatMap(definedBy)
      )
    default:
      return []
  }
}

const inWith = (statement: Statement & { kind: "with" }, bound: Bound): ReadonlyArray<Chain> => [
  ...statement.bindings.flatMap(([, value]) => inExpression(value, bound)),
  ...inBody(
    statement.body,
    bind(
      bound,
      statement.bindings.flatMap(([target]) => targetNames(target))
    )
  )
]

const inFor = (statement: Statement & { kind: "for" }, bound: Bound): ReadonlyArray<Chain> => {
  const inner = bind(bound, [...targetNames(statement.target), "loop"])
  return [
    ...inExpression(statement.source, bound),
    ...present([statement.condition]).flatMap((condition) => inExpression(condition, inner)),
    ...inBody(statement.body, inner),
    ...inBody(statement.otherwise, bound)
  ]
}

const inStatement = (statement: Statement, bound: Bound): ReadonlyArray<Chain> => {
  switch (statement.kind) {
    case "text":
      return []
    case "print":
    case "set":
      return inExpression(statement.value, bound)
    case "if":
      return [
        ...statement.branches.flatMap(({ body, test }) => [...inExpression(test, bound), ...inBody(body, bound)]),
        ...inBody(statement.otherwise, bound)
      ]
    case "for":
      return inFor(statement, bound)
    case "set block":
      return [
        ...present([statement.filter]).flatMap((filter) => inExpression(filter, bound)),
        ...inBody(statement.body, bound)
      ]
    case "with":
      return inWith(statement, bound)
    case "macro":
      return inMacro(statement.macro, bound)
    case "call block":
      return [...inExpression(statement.call, bound), ...inMacro(statement.caller, bound)]
    case "filter block":
      return [...inExpression(statement.filter, bound), ...inBody(statement.body, bound)]
    case "autoescape":
      return [...inExpression(statement.enabled, bound), ...inBody(statement.body, bound)]
    case "block":
      return inBody(statement.block.body, bound)
    case "extends":
    case "include":
    case "import":
    case "from":
      return inExpression(statement.template, bound)
  }
}

const inBody = (body: Body, bound: Bound): ReadonlyArray<Chain> => {
  const chains: Array<Chain> = []
  let known = bound
  for (const statement of body) {
    chains.push(...inStatement(statement, known))
    known = bind(known, definedBy(statement))
  }
  return chains
}

const once = (chains: ReadonlyArray<Chain>): ReadonlyArray<Chain> => [
  ...new Map(chains.map((chain) => [chain.join("."), chain])).values()
]

/** Each chain once. */
export const expressionReferences = (expression: Expression): ReadonlyArray<Chain> =>
  once(inExpression(expression, new Set()))

/** In the order of the template, each chain once. `defined` are names that the engine provides. */
export const templateReferences = (template: string, defined: Iterable<string> = []): ReadonlyArray<Chain> => {
  if (!template.includes("{")) return []
  const parsed = Either.try(() => parse(normalizeNewlines(template)))
  if (Either.isLeft(parsed)) return []
  return once(inBody(parsed.right.body, new Set(defined)))
}
