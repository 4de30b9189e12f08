/** Skills that nobody names because they lie where people keep them: `runtime.skill_discovery` (workflow language §7.7). */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import type { SkillDiscovery } from "../document/Skills.ts"
import { assetPath, childrenOf } from "./LocateAsset.ts"
import { skillFolders } from "./Skill.ts"

type Source = SkillDiscovery["sources"][number]

const PERSONAL = ["~/.copilot/skills", "~/.claude/skills"]
const PROJECT = [".github/skills", ".claude/skills"]

/** Whatever order they are written in, so that this order cannot change which of two skills of one name wins. */
export const SOURCES: ReadonlyArray<Source> = ["project", "personal"]

/** A folder and those around it up to the root of the repository; the folder alone outside of one. Nearest first. */
const upToRepository = (folder: string): Effect.Effect<ReadonlyArray<string>, never, FileSystem | Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem
    const path = yield* Path
    const around: Array<string> = []
    for (let at = folder; ; at = path.dirname(at)) {
      around.push(at)
      if (yield* Effect.orElseSucceed(files.exists(path.join(at, ".git")), () => false)) return around
      if (at === path.dirname(at)) return [folder]
    }
  })

const rootsOf = (source: Source, directory: string) =>
  source === "personal"
    ? Effect.forEach(PERSONAL, (folder) => assetPath(folder, directory))
    : Effect.map(
        Effect.flatMap(upToRepository(directory), (around) =>
          Effect.forEach(around, (folder) => Effect.forEach(PROJECT, (place) => assetPath(place, folder)))
        ),
        (places) => places.flat()
      )

/** Absolute paths: where was looked, and the skills there, the first of a name being the one that counts. */
export const discoverFolders = Effect.fn("DiscoverSkill.folders")(function* (source: Source, directory: string) {
  const roots = yield* rootsOf(source, directory)
  const candidates = (yield* Effect.forEach(roots, childrenOf)).flat()
  return { roots, folders: (yield* Effect.forEach(candidates, skillFolders)).flat() }
})
