/** Sub-workflows from values, for tests and for the testing library: a reference is a name, wherever it stands. */
import { Effect, Layer } from "effect"
import type { Plan } from "../language/Plan.ts"
import { WorkflowNotResolved, WorkflowResolver } from "./WorkflowResolver.ts"

/** The plans by the text that a `workflow:` key has. */
export const layer = (plans: Readonly<Record<string, Plan>>): Layer.Layer<WorkflowResolver> =>
  Layer.succeed(WorkflowResolver, {
    resolve: (reference) => {
      const plan = Object.hasOwn(plans, reference) ? plans[reference] : undefined
      if (plan !== undefined) return Effect.succeed({ plan, files: [] })
      const message = `There is no workflow '${reference}'. There are: ${Object.keys(plans).join(", ")}`
      return new WorkflowNotResolved({ reference, reason: "missing", message })
    }
  })
