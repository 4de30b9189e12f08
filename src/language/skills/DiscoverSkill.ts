/** Skills that nobody names because they lie where people keep them: `runtime.skill_discovery` (workflow language §7.7). */
import { Effect } from "effect"
import type { SkillDiscovery } from "../document/Skills.ts"
import { upToRepository } from "../Repository.ts"
import { childrenOf } from "../LookAtFiles.ts"
import { assetPath } from "./LocateAsset.ts"
import { skillFolders } from "./Skill.ts"

type Source = SkillDiscovery["sources"][number]

const PERSONAL = ["~/.copilot/skills", "~/.claude/skills"]
const PROJECT = [".github/skills", ".claude/skills"]

/** Whatever order they are written in, so that this order cannot change which of two skills of one name wins. */
export const SOURCES: ReadonlyArray<Source> = ["project", "personal"]

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
