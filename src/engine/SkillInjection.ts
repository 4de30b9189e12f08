/** Puts the skills of a step in front of its prompt, for providers that cannot be given folders (workflow language §7.7). */
import { Effect } from "effect"
import type { Plan } from "../language/Plan.ts"
import type { AgentNode } from "../language/PlanNode.ts"
import { weigh } from "../language/skills/Injection.ts"
import { skillText, type Skill } from "../language/skills/Skill.ts"
import { stepAssets } from "../language/skills/StepAssets.ts"
import { assetObstacles } from "./AssetObstacles.ts"
import { ConfigurationError } from "./EngineErrors.ts"
import type { Journal } from "./Journal.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { skillsSection } from "./PromptSections.ts"

const CHARACTERS_PER_TOKEN = 4

interface Target {
  readonly step: AgentNode
  readonly plan: Plan
  readonly provider: string
  readonly journal: Journal
}

const warnOfSize = Effect.fn("SkillInjection.warnOfSize")(function* (
  { journal, plan, provider, step }: Target,
  skills: ReadonlyArray<Skill>
) {
  const { bytes, limit, verdict } = weigh(skills, plan.runtime.skill_injection)
  if (verdict !== "large" || limit === null) return
  yield* journal.append("skill_injection_warning", {
    agent_name: step.name,
    bytes,
    approx_tokens: Math.ceil(bytes / CHARACTERS_PER_TOKEN),
    warn_bytes: limit,
    provider,
    breakdown: Object.fromEntries(skills.map((skill) => [skill.name, skill.bytes]))
  })
})

/** Empty without skills. Fails when files have changed since the start in a way that leaves the step without them. */
export const skillsPrefix = Effect.fn("SkillInjection.prefix")(function* (target: Target) {
  const { plan, provider, step } = target
  const assets = yield* stepAssets(plan.runtime, step, workflowFacts(plan).directory)
  const [obstacle] = assetObstacles(assets, plan, provider)
  if (obstacle !== undefined) return yield* new ConfigurationError({ message: `Step '${step.name}': ${obstacle}` })
  yield* warnOfSize(target, assets.skills)
  const texts = yield* Effect.forEach(assets.skills, (skill) =>
    Effect.mapBoth(skillText(skill), {
      onFailure: ({ message }) => new ConfigurationError({ message: `Step '${step.name}': ${message}` }),
      onSuccess: (text) => ({ name: skill.name, text })
    })
  )
  return skillsSection(texts)
})
