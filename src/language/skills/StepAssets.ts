/**
 * What a step gets from the skills and plugins that it names, inherits or discovers (workflow language §7.7): declared skills
 * come before those of plugins, and these before discovered ones of the same name.
 */
import { Effect, Either } from "effect"
import type { Plugin } from "../document/Plugins.ts"
import type { Runtime } from "../document/Runtime.ts"
import { brokenAsset, type AssetFault, type Located } from "./AssetFault.ts"
import { discoverFolders, SOURCES } from "./DiscoverSkill.ts"
import { locatePlugin } from "../plugins/LocatePlugin.ts"
import { locateSkills, skillsIn } from "./LocateSkill.ts"
import { readPlugin, type PluginFolder } from "../plugins/Plugin.ts"
import type { Skill } from "./Skill.ts"

/** What a step has of its own; absent means the runtime's. */
interface Wanted {
  readonly skills?: ReadonlyArray<string>
  readonly plugins?: ReadonlyArray<Plugin>
}

export interface LoadedPlugin {
  readonly entry: Plugin
  readonly folder: PluginFolder
}

export interface StepAssets {
  readonly skills: ReadonlyArray<Skill>
  readonly plugins: ReadonlyArray<LoadedPlugin>
  readonly faults: ReadonlyArray<AssetFault>
}

const loadPlugin = Effect.fnUntraced(function* (entry: Plugin, runtime: Runtime, directory: string | undefined) {
  const located = yield* locatePlugin(entry.name, runtime.plugin_sources, directory)
  if (Either.isLeft(located)) return Either.left(located.left)
  const { files, folder } = located.right
  const plugin = yield* Effect.either(readPlugin(folder))
  return Either.mapBoth(plugin, {
    onLeft: ({ message }) => brokenAsset(message),
    onRight: (read): LoadedPlugin => ({ entry, folder: { ...read, files: [...files, ...read.files] } })
  })
})

const discover = Effect.fnUntraced(function* ({ skill_discovery: discovery }: Runtime, directory: string | undefined) {
  if (discovery === undefined || directory === undefined) return []
  const sources = SOURCES.filter((source) => discovery.sources.includes(source))
  const places = yield* Effect.forEach(sources, (source) => discoverFolders(source, directory))
  // What cannot be read is skipped: nobody has asked for it by name.
  const { found } = yield* skillsIn(places.flatMap(({ folders }) => folders))
  return found.filter(({ name }) => !discovery.exclude.includes(name))
})

const placeOf = ({ source }: Skill): string => (source._tag === "Folder" ? source.folder : "the built-in one")

const without = (skills: ReadonlyArray<Skill>, taken: ReadonlyArray<Skill>): ReadonlyArray<Skill> =>
  skills.filter(({ name }) => !taken.some((other) => other.name === name))

/** Each skill once. Two of one name that are no copies of each other are a fault. */
const distinct = (skills: ReadonlyArray<Skill>): Located<Skill> => {
  const byName = new Map<string, Skill>()
  const faults: Array<AssetFault> = []
  for (const skill of skills) {
    const other = byName.get(skill.name)
    if (other === undefined) byName.set(skill.name, skill)
    else if (placeOf(other) !== placeOf(skill)) {
      faults.push(brokenAsset(`there are two skills "${skill.name}": ${placeOf(other)} and ${placeOf(skill)}`))
    }
  }
  return { found: [...byName.values()], faults }
}

/** `directory`: that of the workflow file; undefined for text that came from no file. Looks at no file without need. */
export const stepAssets = Effect.fn("StepAssets.load")(function* (
  runtime: Runtime,
  { plugins = runtime.plugins, skills }: Wanted,
  directory: string | undefined
) {
  const declared = yield* Effect.forEach(skills ?? runtime.skills, (entry) => locateSkills(entry, directory))
  const loaded = yield* Effect.forEach(plugins, (entry) => loadPlugin(entry, runtime, directory))
  const usable = loaded.filter(Either.isRight).map(({ right }) => right)
  const bundled = yield* Effect.forEach(usable, ({ entry, folder }) => skillsIn(entry.skills ? folder.skills : []))
  const own = distinct(declared.flatMap(({ found }) => found))
  const brought = distinct(bundled.flatMap(({ found }) => without(found, own.found)))
  const named = [...own.found, ...brought.found]
  const discovered = skills === undefined ? without(yield* discover(runtime, directory), named) : []
  return {
    skills: [...named, ...distinct(discovered).found],
    plugins: usable,
    faults: [
      ...[...declared, own, ...bundled, brought].flatMap(({ faults }) => faults),
      ...loaded.filter(Either.isLeft).map(({ left }) => left)
    ]
  } satisfies StepAssets
})

/** Absolute paths of all that is read for the step. */
export const filesOfAssets = ({ plugins, skills }: StepAssets): ReadonlyArray<string> => [
  ...skills.flatMap(({ source }) => (source._tag === "Folder" ? source.files : [])),
  ...plugins.flatMap(({ folder }) => folder.files)
]
