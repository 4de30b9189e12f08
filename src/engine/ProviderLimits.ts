/**
 * What a step asks of its provider and would not get (workflow language §7.2), so that a start is refused instead of a step
 * that works without it. Pure.
 */
import type { Plan } from "../language/Plan.ts"
import type { AgentNode } from "../language/PlanNode.ts"
import { isTemplate } from "../language/document/Vocabulary.ts"
import { capabilitiesOf, providersThat, type Capabilities } from "../language/validate/ProviderCapabilities.ts"

interface Wish {
  readonly isWanted: boolean
  readonly isMet: (capabilities: Capabilities) => boolean
  readonly what: string
  /** What to do about it, beside taking another provider. */
  readonly remedy: string
}

const wishes = (step: AgentNode, { runtime }: Plan): ReadonlyArray<Wish> => {
  const effort = step.reasoning?.effort ?? runtime.default_reasoning_effort
  const discovers = step.skills === undefined && (runtime.skill_discovery?.sources ?? []).length > 0
  return [
    {
      isWanted: step.sandbox !== undefined,
      isMet: ({ sandbox }) => sandbox,
      what: "sandbox",
      remedy: "remove it if the step may run without one"
    },
    {
      isWanted: step.session_key !== undefined,
      isMet: ({ sessionKey }) => sessionKey,
      what: "session_key",
      remedy: "remove it, and pass on what has to be known through outputs"
    },
    {
      isWanted: effort !== undefined && !isTemplate(effort),
      isMet: ({ efforts }) => efforts.includes(effort ?? ""),
      what: `the reasoning effort '${effort}'`,
      remedy: "choose another effort"
    },
    {
      isWanted: discovers,
      isMet: ({ skills }) => skills === "native" || skills === "plugin",
      what: "skill_discovery",
      remedy: "name the skills in runtime.skills"
    },
    {
      isWanted: (step.skills ?? runtime.skills).length > 0,
      isMet: ({ skills }) => skills !== "none",
      what: "skills",
      remedy: "remove them"
    }
  ]
}

/** A sentence for each wish that stays open. */
export const providerLimits = (step: AgentNode, plan: Plan, provider: string): ReadonlyArray<string> => {
  const capabilities = capabilitiesOf(provider)
  if (capabilities === undefined) return []
  return wishes(step, plan)
    .filter(({ isMet, isWanted }) => isWanted && !isMet(capabilities))
    .map(({ isMet, remedy, what }) => {
      const able = providersThat(isMet).join(", ")
      return `${what} is not for provider '${provider}' but for ${able === "" ? "none" : able}; ${remedy}`
    })
}
