/** How skills are found and put in front of LLM steps: `runtime.skill_injection` and `runtime.skill_discovery`. */
import { Schema } from "effect"
import { closed, list, withDefault } from "./Keyed.ts"
import { integer, NonBlankText } from "./Scalars.ts"

const Bytes = Schema.NullOr(integer({ min: 0 }))

export const SkillInjection = closed({
  warn_bytes: withDefault(Bytes, 65_536),
  max_bytes: withDefault(Bytes, 163_840)
}).pipe(
  Schema.filter(({ max_bytes, warn_bytes }) =>
    max_bytes !== null && warn_bytes !== null && warn_bytes > max_bytes
      ? `warn_bytes (${warn_bytes}) must not exceed max_bytes (${max_bytes})`
      : undefined
  )
)
export type SkillInjection = typeof SkillInjection.Type

const Sources = list(Schema.Literal("personal", "project")).pipe(
  Schema.filter((sources) => (new Set(sources).size < sources.length ? "a source is named twice" : undefined))
)

export const SkillDiscovery = closed({
  sources: withDefault(Sources, []),
  exclude: withDefault(list(NonBlankText), [])
})
export type SkillDiscovery = typeof SkillDiscovery.Type
