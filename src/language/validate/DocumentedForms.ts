/**
 * Forms that the documentation of the format shows and that load, but do something else (workflow language §11). Forms that
 * do not load get their remedy from `Hints`.
 */
import { warning, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"

export const gateStepRoutes = ({ document }: Scope): ReadonlyArray<Finding> =>
  document.agents.flatMap(({ name, routes, type }, step) =>
    type === "human_gate" && routes.length > 0
      ? [
          warning(
            ["agents", step, "routes"],
            `the routes of the gate "${name}" are ignored: the option that is chosen leads on`,
            "give each option its route"
          )
        ]
      : []
  )

export const loopKeys = ({ document }: Scope): ReadonlyArray<Finding> =>
  document.for_each.flatMap(({ as, key_by: key }, group) =>
    key?.startsWith(`${as}.`)
      ? [
          warning(
            ["for_each", group, "key_by"],
            `"${key}" is looked for inside each item, where there is no "${as}", so that items get numbers for keys`,
            `write ${key.slice(as.length + 1)}`
          )
        ]
      : []
  )

export const subWorkflowOutputs = ({ placedSteps }: Scope): ReadonlyArray<Finding> =>
  placedSteps.flatMap(({ place, step }) =>
    step.type === "workflow" && Object.keys(step.output ?? {}).length > 0
      ? [
          warning(
            [...place, "output"],
            `the output of "${step.name}" is what the workflow that it calls gives; this shape is not enforced`,
            "declare the shape in that workflow's steps"
          )
        ]
      : []
  )
