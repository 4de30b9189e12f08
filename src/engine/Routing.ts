/** Where a run goes after a node: the first route whose condition holds (workflow language §5.6). */
import { Either } from "effect"
import type { LazyArg } from "effect/Function"
import type { Value, ValueMap } from "../domain/Value.ts"
import { evaluateCondition, type ConditionError } from "../language/Condition.ts"
import { END, type Route } from "../language/document/Route.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import { ValueError } from "./EngineErrors.ts"
import { renderOutput } from "./FinalOutput.ts"

interface Choice {
  readonly to: string
  /** The route's own output values, when it ends the run. */
  readonly output?: ValueMap
}

type Routed = Either.Either<Choice, ConditionError | TemplateError | ValueError>

/** The values of a route to another step are rendered, so that a fault in them shows, and then dropped. */
const follow = ({ output: values, to }: Route, context: ValueMap, output: Value): Routed =>
  values === undefined
    ? Either.right({ to })
    : Either.map(renderOutput(values, { ...context, output }), (output) => (to === END ? { to, output } : { to }))

/**
 * `fullContext` is that after the node was stored, and is not asked for by a first route that reads nothing of it: it grows
 * with the workflow. `output` is the node's raw output.
 */
export const chooseRoute = (
  node: string,
  routes: ReadonlyArray<Route>,
  fullContext: LazyArg<ValueMap>,
  output: Value
): Routed => {
  const { output: values, to, when } = routes[0] ?? { to: END }
  if (when === undefined && values === undefined) return Either.right({ to })
  const context = fullContext()
  for (const route of routes) {
    const holds = route.when === undefined ? Either.right(true) : evaluateCondition(route.when, context, output)
    if (Either.isLeft(holds)) return Either.left(holds.left)
    if (holds.right) return follow(route, context, output)
  }
  const message = `No matching route found for '${node}'. Add a last route without 'when' to catch the other cases.`
  return Either.left(new ValueError({ message }))
}
