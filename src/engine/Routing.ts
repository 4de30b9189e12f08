/** Where a run goes after a node: the first route whose condition holds (workflow language §5.6). */
import { Either } from "effect"
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
const follow = (route: Route, scope: ValueMap): Routed => {
  if (route.output === undefined) return Either.right({ to: route.to })
  return Either.map(renderOutput(route.output, scope), (output) =>
    route.to === END ? { to: route.to, output } : { to: route.to }
  )
}

/** `context` is the full context after the node was stored; `output` is the node's raw output. */
export const chooseRoute = (node: string, routes: ReadonlyArray<Route>, context: ValueMap, output: Value): Routed => {
  if (routes.length === 0) return Either.right({ to: END })
  const scope = { ...context, output }
  for (const route of routes) {
    const holds = route.when === undefined ? Either.right(true) : evaluateCondition(route.when, context, output)
    if (Either.isLeft(holds)) return Either.left(holds.left)
    if (holds.right) return follow(route, scope)
  }
  const message = `No matching route found for '${node}'. Add a last route without 'when' to catch the other cases.`
  return Either.left(new ValueError({ message }))
}
