/** How much of skills may be put into a prompt (workflow language §1.4, `skill_injection`). Pure. */
import type { SkillInjection } from "../document/Skills.ts"
import type { Skill } from "./Skill.ts"

const DEFAULTS: SkillInjection = { warn_bytes: 65_536, max_bytes: 163_840 }

export interface Weighed {
  readonly verdict: "fits" | "large" | "too-large"
  readonly bytes: number
  /** The limit that is passed; null when none is. */
  readonly limit: number | null
}

export const weigh = (skills: ReadonlyArray<Skill>, limits: SkillInjection = DEFAULTS): Weighed => {
  const { max_bytes: most, warn_bytes: many } = limits
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0)
  if (most !== null && bytes > most) return { verdict: "too-large", bytes, limit: most }
  return many !== null && bytes > many
    ? { verdict: "large", bytes, limit: many }
    : { verdict: "fits", bytes, limit: null }
}
