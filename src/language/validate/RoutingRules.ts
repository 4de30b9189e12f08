/** Targets that only a person's answer leads to: options of gates and the way out of questions. Routes are checked on load. */
import { END } from "../document/Route.ts"
import { didYouMean } from "../Suggestion.ts"
import type { Place } from "../Problem.ts"
import { error, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"

const target = (what: string, name: string, place: Place, { nodes }: Scope): ReadonlyArray<Finding> =>
  name === END || nodes.has(name)
    ? []
    : [error(place, `${what} leads to "${name}", which is not a step or group`, didYouMean(name, [...nodes, END]))]

export const gateRoutes = (scope: Scope): ReadonlyArray<Finding> =>
  scope.document.agents.flatMap(({ options = [], type }, step) =>
    type === "human_gate"
      ? options.flatMap(({ label, route }, option) =>
          target(`the option "${label}"`, route, ["agents", step, "options", option, "route"], scope)
        )
      : []
  )

export const abortRoutes = (scope: Scope): ReadonlyArray<Finding> =>
  scope.document.agents.flatMap(({ abort_route: route }, step) =>
    route === undefined ? [] : target("abort_route", route, ["agents", step, "abort_route"], scope)
  )
