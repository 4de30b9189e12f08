/** The skills that steps name exist, can be read, and fit into prompts where they are put into them. */
import { Effect, Either } from "effect"
import { isAssetPath } from "../document/AssetPath.ts"
import type { Place } from "../Problem.ts"
import { assetPath, isFolder } from "../skills/LocateAsset.ts"
import { isInsidePlugin } from "../skills/Plugin.ts"
import { readSkill, skillFolders, type Skill } from "../skills/Skill.ts"
import { didYouMean } from "../Suggestion.ts"
import { skillLists, type AssetList } from "./AssetScope.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES } from "./ProviderCapabilities.ts"
import type { Scope } from "./Scope.ts"

/** Come with every engine. */
const BUILT_IN = ["conductor"]

/** What a provider is assumed to be given when the file does not say (workflow language §1.4). */
const DEFAULT_LIMITS = { warn_bytes: 65_536, max_bytes: 163_840 }

interface Checked {
  readonly skills: ReadonlyArray<Skill>
  readonly findings: ReadonlyArray<Finding>
}

const only = (...findings: ReadonlyArray<Finding>): Checked => ({ skills: [], findings })

const unknownName = (place: Place, name: string): Finding =>
  error(
    place,
    `there is no skill "${name}"`,
    didYouMean(name, BUILT_IN) ??
      `the built-in skill is ${BUILT_IN.join(", ")}; write a folder with a path, as in ./${name}`
  )

const checkFolder = Effect.fnUntraced(function* (place: Place, entry: string, folder: string) {
  if (!(yield* isFolder(folder))) return only(error(place, `there is no skill folder ${entry} (looked for ${folder})`))
  const folders = yield* skillFolders(folder)
  if (folders.length === 0) {
    return only(error(place, `${entry} holds no skill: neither it nor a folder in it has a SKILL.md`))
  }
  const read = yield* Effect.forEach(folders, (found) => Effect.either(readSkill(found)))
  return {
    skills: read.filter(Either.isRight).map(({ right }) => right),
    findings: read.filter(Either.isLeft).map(({ left }) => error(place, left.message))
  } satisfies Checked
})

const checkEntry = Effect.fnUntraced(function* (place: Place, entry: string, directory: string | undefined) {
  if (!isAssetPath(entry)) return BUILT_IN.includes(entry) ? only() : only(unknownName(place, entry))
  if (directory === undefined && entry.startsWith(".")) {
    return only(warning(place, `${entry} is not checked: the workflow is in no file that it could be relative to`))
  }
  return yield* checkFolder(place, entry, yield* assetPath(entry, directory ?? ""))
})

/** Such a provider can be given plugins only, so a skill has to be part of one. */
const outsidePlugins = Effect.fnUntraced(function* (list: AssetList<string>, place: Place, { skills }: Checked) {
  const provider = list.providers.find((name) => CAPABILITIES[name].skills === "plugin")
  if (provider === undefined) return []
  const bare = yield* Effect.filter(skills, ({ folder }) => Effect.map(isInsidePlugin(folder), (inside) => !inside))
  return bare.map(({ folder, name }) =>
    error(place, `the provider ${provider} takes skills from plugins only, and "${name}" (${folder}) is in none`)
  )
})

const sizeFindings = ({ document }: Scope, { place, providers }: AssetList<string>, skills: ReadonlyArray<Skill>) => {
  const provider = providers.find((name) => CAPABILITIES[name].skills === "eager")
  if (provider === undefined) return []
  const { max_bytes: most, warn_bytes: many } = document.workflow.runtime.skill_injection ?? DEFAULT_LIMITS
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0)
  const what = `these skills put ${bytes} bytes into every prompt for the provider ${provider}`
  if (most !== null && bytes > most) {
    return [error(place, `${what}, more than max_bytes (${most})`, "name fewer, or raise skill_injection.max_bytes")]
  }
  return many !== null && bytes > many ? [warning(place, `${what}, more than warn_bytes (${many})`)] : []
}

const checkList = Effect.fnUntraced(function* (scope: Scope, list: AssetList<string>, directory: string | undefined) {
  const checked = yield* Effect.forEach(list.entries, (entry, index) =>
    Effect.gen(function* () {
      const place = [...list.place, index]
      const found = yield* checkEntry(place, entry, directory)
      return { ...found, findings: [...found.findings, ...(yield* outsidePlugins(list, place, found))] }
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
