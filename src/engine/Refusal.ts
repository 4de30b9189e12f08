/** Whether this engine can run a plan at all. It is asked before anything starts, so that no run stops half way. */
import { Either } from "effect"
import { agentSteps } from "../language/AgentSteps.ts"
import type { Plan } from "../language/Plan.ts"
import { unsupportedSteps, type UnsupportedStep } from "../language/UnsupportedSteps.ts"
import { providerOf } from "./PlanFacts.ts"
import { providerLimits } from "./ProviderLimits.ts"
import type { SubWorkflow } from "./SubWorkflows.ts"

const missingProviders = (
  plan: Plan,
  available: ReadonlyArray<string>,
  chosen: string | undefined
): ReadonlyArray<UnsupportedStep> =>
  agentSteps(plan).flatMap((step) => {
    const provider = providerOf(step, plan, chosen)
    if (available.includes(provider)) return []
    const known = available.length === 0 ? "none is available" : `available: ${available.join(", ")}`
    const remedy = available[0] ?? "openai"
    const reason =
      `provider '${provider}' is not available here (${known}); ` +
      `write 'runtime.provider: ${remedy}' in the workflow or start it with '--provider ${remedy}'`
    return [{ step: step.name, reason }]
  })

const unmetWishes = (plan: Plan, chosen: string | undefined): ReadonlyArray<UnsupportedStep> =>
  agentSteps(plan).flatMap((step) =>
    providerLimits(step, plan, providerOf(step, plan, chosen)).map((reason) => ({ step: step.name, reason }))
  )

type Refusals = ReadonlyArray<UnsupportedStep>

const ofPlan = (plan: Plan, available: ReadonlyArray<string>, chosen: string | undefined): Refusals => [
  ...unsupportedSteps(plan),
  ...missingProviders(plan, available, chosen),
  ...unmetWishes(plan, chosen)
]

/** A file that is missing or faulty is no reason: the run may never come to the step, and fails there if it does. */
const below = (
  { path, resolved }: SubWorkflow,
  available: ReadonlyArray<string>,
  chosen: string | undefined
): Refusals => {
  const place = path.join("/")
  return Either.match(resolved, {
    onLeft: ({ message, reason }) => (reason === "unsupported" ? [{ step: place, reason: message }] : []),
    onRight: ({ plan }) =>
      ofPlan(plan, available, chosen).map(({ reason, step }) => ({ step: `${place}/${step}`, reason }))
  })
}

/** Every step that stands in the way, with the reason; empty when the plan can be started. */
export const refusals = (
  plan: Plan,
  subWorkflows: ReadonlyArray<SubWorkflow>,
  available: ReadonlyArray<string>,
  chosen: string | undefined
): Refusals => [
  ...ofPlan(plan, available, chosen),
  ...subWorkflows.flatMap((subWorkflow) => below(subWorkflow, available, chosen))
]
