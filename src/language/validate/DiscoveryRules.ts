/** `skill_discovery` finds something, and for steps whose provider can do with it. */
import { Effect, Either } from "effect"
import type { Place } from "../Problem.ts"
import type { SkillDiscovery } from "../document/Skills.ts"
import { discoverFolders } from "../skills/DiscoverSkill.ts"
import { isInsidePlugin } from "../plugins/Plugin.ts"
import { readSkill } from "../skills/Skill.ts"
import { skillLists } from "./AssetScope.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES } from "./ProviderCapabilities.ts"
import type { Scope } from "./Scope.ts"

const PLACE: Place = ["workflow", "runtime", "skill_discovery"]

/** Its size is not known before it is found, so nothing that is discovered is put into prompts. */
const unableProviders = (scope: Scope): ReadonlyArray<Finding> => {
  const [inherited] = skillLists(scope)
  return (inherited?.providers ?? [])
    .filter((provider) => ["eager", "none"].includes(CAPABILITIES[provider].skills))
    .map((provider) =>
      error(PLACE, `the provider ${provider} cannot use discovered skills`, "name the skills in runtime.skills")
    )
}

const readDiscovered = Effect.fnUntraced(function* (place: Place, folder: string, needsPlugin: boolean) {
  const skill = yield* Effect.either(readSkill(folder))
  if (Either.isLeft(skill)) return [warning(place, `a discovered skill is skipped: ${skill.left.message}`)]
  return needsPlugin && !(yield* isInsidePlugin(folder))
    ? [warning(place, `the discovered skill "${skill.right.name}" is skipped for claude-agent-sdk: it is in no plugin`)]
    : []
})

const inSource = Effect.fnUntraced(function* (
  scope: Scope,
  source: SkillDiscovery["sources"][number],
  place: Place,
  directory: string
) {
  const { folders: found, roots } = yield* discoverFolders(source, directory)
  if (found.length === 0) return [warning(place, `the source "${source}" finds no skills in ${roots.join(" or ")}`)]
  const needsPlugin = (skillLists(scope)[0]?.providers ?? []).includes("claude-agent-sdk")
  return (yield* Effect.forEach(found, (folder) => readDiscovered(place, folder, needsPlugin))).flat()
})

export const skillDiscovery = Effect.fnUntraced(function* (scope: Scope, directory: string | undefined) {
  const sources = scope.document.workflow.runtime.skill_discovery?.sources ?? []
  if (sources.length === 0) return []
  const found = yield* Effect.forEach(sources, (source, index) =>
    directory === undefined && source === "project"
      ? Effect.succeed([])
      : inSource(scope, source, [...PLACE, "sources", index], directory ?? "")
  )
  return [...unableProviders(scope), ...found.flat()]
})
