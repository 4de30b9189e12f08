/** The skills that steps name exist, can be read, and fit into prompts where they are put into them. */
import { Effect } from "effect"
import type { Place } from "../Problem.ts"
import type { Located } from "../skills/AssetFault.ts"
import { weigh } from "../skills/Injection.ts"
import { locateSkills } from "../skills/LocateSkill.ts"
import { isInsidePlugin } from "../plugins/Plugin.ts"
import type { Skill } from "../skills/Skill.ts"
import { faultFinding, skillLists, type AssetList } from "./AssetScope.ts"
import { error, warning } from "./Diagnostic.ts"
import { CAPABILITIES } from "./ProviderCapabilities.ts"
import type { Scope } from "./Scope.ts"

/** Such a provider can be given plugins only, so a skill has to be part of one. */
const outsidePlugins = Effect.fnUntraced(function* (list: AssetList<string>, place: Place, { found }: Located<Skill>) {
  const provider = list.providers.find((name) => CAPABILITIES[name].skills === "plugin")
  if (provider === undefined) return []
  const folders = found.flatMap(({ name, source }) =>
    source._tag === "Folder" ? [{ name, folder: source.folder }] : []
  )
  const bare = yield* Effect.filter(folders, ({ folder }) => Effect.map(isInsidePlugin(folder), (inside) => !inside))
  return bare.map(({ folder, name }) =>
    error(place, `the provider ${provider} takes skills from plugins only, and "${name}" (${folder}) is in none`)
  )
})

const sizeFindings = ({ document }: Scope, { place, providers }: AssetList<string>, skills: ReadonlyArray<Skill>) => {
  const provider = providers.find((name) => CAPABILITIES[name].skills === "eager")
  if (provider === undefined) return []
  const { bytes, limit, verdict } = weigh(skills, document.workflow.runtime.skill_injection)
  const what = `these skills put ${bytes} bytes into every prompt for the provider ${provider}`
  switch (verdict) {
    case "fits":
      return []
    case "large":
      return [warning(place, `${what}, more than warn_bytes (${limit})`)]
    case "too-large":
      return [error(place, `${what}, more than max_bytes (${limit})`, "name fewer, or raise skill_injection.max_bytes")]
  }
}

const checkList = Effect.fnUntraced(function* (scope: Scope, list: AssetList<string>, directory: string | undefined) {
  const checked = yield* Effect.forEach(list.entries, (entry, index) =>
    Effect.gen(function* () {
      const place = [...list.place, index]
      const located = yield* locateSkills(entry, directory)
      const findings = located.faults.map((fault) => faultFinding(place, fault))
      return { skills: located.found, findings: [...findings, ...(yield* outsidePlugins(list, place, located))] }
    })
  )
  const skills = checked.flatMap((one) => one.skills)
  return [...checked.flatMap(({ findings }) => findings), ...sizeFindings(scope, list, skills)]
})

export const skills = (scope: Scope, directory: string | undefined) =>
  Effect.map(
    Effect.forEach(skillLists(scope), (list) => checkList(scope, list, directory)),
    (findings) => findings.flat()
  )
