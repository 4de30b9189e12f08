/** `skill_discovery` finds something, and for steps whose provider can do with it. */
import { Effect, Either } from "effect"
import type { Place } from "../Problem.ts"
import { assetPath, childrenOf } from "../skills/LocateAsset.ts"
import { isInsidePlugin } from "../skills/Plugin.ts"
import { readSkill, skillFolders } from "../skills/Skill.ts"
import { skillLists } from "./AssetScope.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES } from "./ProviderCapabilities.ts"
import type { Scope } from "./Scope.ts"

const FOLDERS = {
  personal: ["~/.copilot/skills", "~/.claude/skills"],
  project: [".github/skills", ".claude/skills"]
} as const

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
  source: keyof typeof FOLDERS,
  place: Place,
  directory: string
) {
  const roots = yield* Effect.forEach(FOLDERS[source], (folder) => assetPath(folder, directory))
  const candidates = (yield* Effect.forEach(roots, childrenOf)).flat()
  const found = (yield* Effect.forEach(candidates, skillFolders)).flat()
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
