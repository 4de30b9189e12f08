/** What stands between a step and the skills and plugins that it wants. A step does not run with less than it asked for. */
import { Effect, Either } from "effect"
import { agentSteps } from "../language/AgentSteps.ts"
import type { Plan } from "../language/Plan.ts"
import type { UnsupportedStep } from "../language/UnsupportedSteps.ts"
import type { AssetFault } from "../language/skills/AssetFault.ts"
import { weigh } from "../language/skills/Injection.ts"
import { pluginMisfit, serverClashes } from "../language/plugins/PluginFit.ts"
import { stepAssets, type StepAssets } from "../language/skills/StepAssets.ts"
import { capabilitiesOf } from "../language/validate/ProviderCapabilities.ts"
import { providerOf, workflowFacts } from "./PlanFacts.ts"
import type { SubWorkflow } from "./SubWorkflows.ts"

const told = ({ message, suggestion }: AssetFault): string =>
  suggestion === undefined ? message : `${message}; ${suggestion}`

const tooMuch = ({ skills }: StepAssets, { runtime }: Plan): ReadonlyArray<string> => {
  const { bytes, limit, verdict } = weigh(skills, runtime.skill_injection)
  return verdict === "too-large"
    ? [`its skills put ${bytes} bytes into the prompt, more than skill_injection.max_bytes (${limit}); name fewer`]
    : []
}

/** A sentence for each; none when the step can have what it wants. */
export const assetObstacles = (assets: StepAssets, plan: Plan, provider: string): ReadonlyArray<string> => {
  const support = capabilitiesOf(provider)?.plugins ?? "whole"
  const refused =
    support === "none" && assets.plugins.length > 0 ? [`the provider ${provider} takes no plugins; remove them`] : []
  const misfits = assets.plugins.flatMap((plugin) => pluginMisfit(plugin, provider, support) ?? [])
  const clashes = serverClashes(Object.keys(plan.runtime.mcp_servers), assets.plugins).map(({ fault }) => fault)
  return [...[...assets.faults, ...misfits, ...clashes].map(told), ...refused, ...tooMuch(assets, plan)]
}

const ofPlan = (plan: Plan, chosen: string | undefined, place = "") =>
  Effect.forEach(agentSteps(plan), (step) =>
    Effect.map(stepAssets(plan.runtime, step, workflowFacts(plan).directory), (assets) =>
      assetObstacles(assets, plan, providerOf(step, plan, chosen)).map((reason) => ({
        step: `${place}${step.name}`,
        reason
      }))
    )
  ).pipe(Effect.map((reasons): ReadonlyArray<UnsupportedStep> => reasons.flat()))

/** Of a plan and of those below it: asked before the run starts. */
export const assetRefusals = Effect.fn("AssetObstacles.refusals")(function* (
  plan: Plan,
  subWorkflows: ReadonlyArray<SubWorkflow>,
  chosen: string | undefined
) {
  const own = yield* ofPlan(plan, chosen)
  const below = yield* Effect.forEach(subWorkflows, ({ path, resolved }) =>
    Either.isLeft(resolved) ? Effect.succeed([]) : ofPlan(resolved.right.plan, chosen, `${path.join("/")}/`)
  )
  return [...own, ...below.flat()]
})
