/** From an entry of a `skills` list to the skills that it names (workflow language §7.7). */
import { Effect, Either } from "effect"
import { isAssetPath } from "../document/AssetPath.ts"
import { didYouMean } from "../Suggestion.ts"
import { brokenAsset, unplacedAsset, type Located } from "./AssetFault.ts"
import { isFolder } from "../LookAtFiles.ts"
import { assetPath } from "./LocateAsset.ts"
import { BUILT_IN, readSkill, skillFolders, type Skill } from "./Skill.ts"

const NOTHING: ReadonlyArray<Skill> = []

const builtIn = (name: string): Located<Skill> => {
  const skill = BUILT_IN.get(name)
  if (skill !== undefined) return { found: [skill], faults: [] }
  const known = [...BUILT_IN.keys()]
  const suggestion =
    didYouMean(name, known) ?? `the built-in skill is ${known.join(", ")}; write a folder with a path, as in ./${name}`
  return { found: NOTHING, faults: [brokenAsset(`there is no skill "${name}"`, suggestion)] }
}

/** Both the good ones and what is wrong with the others. */
export const skillsIn = Effect.fnUntraced(function* (folders: ReadonlyArray<string>) {
  const read = yield* Effect.forEach(folders, (found) => Effect.either(readSkill(found)))
  return {
    found: read.filter(Either.isRight).map(({ right }) => right),
    faults: read.filter(Either.isLeft).map(({ left }) => brokenAsset(left.message))
  } satisfies Located<Skill>
})

const inFolder = Effect.fnUntraced(function* (entry: string, folder: string) {
  if (!(yield* isFolder(folder))) {
    return { found: NOTHING, faults: [brokenAsset(`there is no skill folder ${entry} (looked for ${folder})`)] }
  }
  const folders = yield* skillFolders(folder)
  return folders.length === 0
    ? {
        found: NOTHING,
        faults: [brokenAsset(`${entry} holds no skill: neither it nor a folder in it has a SKILL.md`)]
      }
    : yield* skillsIn(folders)
})

/** `directory`: that of the workflow file; undefined for text that came from no file. */
export const locateSkills = Effect.fn("LocateSkill.locate")(function* (entry: string, directory: string | undefined) {
  if (!isAssetPath(entry)) return builtIn(entry)
  if (directory === undefined && entry.startsWith(".")) return { found: NOTHING, faults: [unplacedAsset(entry)] }
  return yield* inFolder(entry, yield* assetPath(entry, directory ?? ""))
})
