/** Whether this engine can run a plan at all. It is asked before anything starts, so that no run stops half way. */
import type { Plan } from "../language/Plan.ts"
import type { AgentNode } from "../language/PlanNode.ts"
import { unsupportedSteps, type UnsupportedStep } from "../language/UnsupportedSteps.ts"
import { providerOf } from "./PlanFacts.ts"

const agentsOf = (plan: Plan): ReadonlyArray<AgentNode> =>
  [...plan.nodes.values()].flatMap((node) => (node.kind === "agent" ? [node] : []))

const missingProviders = (
  plan: Plan,
  available: ReadonlyArray<string>,
  chosen: string | undefined
): ReadonlyArray<UnsupportedStep> =>
  agentsOf(plan).flatMap((step) => {
    const provider = providerOf(step, plan, chosen)
    if (available.includes(provider)) return []
    const known = available.length === 0 ? "none is available" : `available: ${available.join(", ")}`
    const remedy = available[0] ?? "openai"
    const reason =
      `provider '${provider}' is not available here (${known}); ` +
      `write 'runtime.provider: ${remedy}' in the workflow or start it with '--provider ${remedy}'`
    return [{ step: step.name, reason }]
  })

/** Settings of the whole workflow that would be ignored silently. */
const settings = (plan: Plan): ReadonlyArray<UnsupportedStep> => {
  const hasAgents = agentsOf(plan).length > 0
  const used: ReadonlyArray<readonly [boolean, string, string]> = [
    [plan.context.max_tokens !== undefined, "workflow.context.max_tokens", "context is not trimmed yet"],
    [hasAgents && plan.limits.budget_usd !== undefined, "workflow.limits.budget_usd", "budgets are not kept yet"],
    [hasAgents && plan.instructions.length > 0, "workflow.instructions", "instructions are not given to agents yet"]
  ]
  return used.flatMap(([isUsed, step, reason]) => (isUsed ? [{ step, reason }] : []))
}

/** Every step and setting that stands in the way, with the reason; empty when the plan can be started. */
export const refusals = (
  plan: Plan,
  available: ReadonlyArray<string>,
  chosen: string | undefined
): ReadonlyArray<UnsupportedStep> => [
  ...unsupportedSteps(plan),
  ...missingProviders(plan, available, chosen),
  ...settings(plan)
]
