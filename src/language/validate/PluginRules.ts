/** The plugins that steps name exist, can be read, and do not get into each other's way. Nothing is fetched. */
import { Path } from "@effect/platform/Path"
import { Effect, Either, Option } from "effect"
import { isAssetPath } from "../document/AssetPath.ts"
import type { Plugin } from "../document/Plugins.ts"
import type { Place } from "../Problem.ts"
import { assetPath, isFile, isFolder } from "../skills/LocateAsset.ts"
import { INSTALLED, installedPlugin, readPlugin, type PluginFolder } from "../skills/Plugin.ts"
import { readSkill } from "../skills/Skill.ts"
import { pluginLists, type AssetList } from "./AssetScope.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import type { Scope } from "./Scope.ts"

/** The folder of a plugin, or what is to be said instead. */
type Located = Either.Either<string, ReadonlyArray<Finding>>

const instead = (...findings: ReadonlyArray<Finding>): Located => Either.left(findings)

const marketplaceOf = (name: string): string | undefined => /^[^@]+@(.+)$/.exec(name)?.[1]

/** Not `owner/repository`, which has a slash, too. */
const isLocal = (source: string): boolean => /^(?:[.~]|[\\/]|[A-Za-z]:[\\/])/.test(source)

const locateInSource = Effect.fnUntraced(function* (scope: Scope, place: Place, plugin: Plugin, directory: string) {
  const path = yield* Path
  const marketplace = marketplaceOf(plugin.name) ?? ""
  const declared = scope.document.workflow.runtime.plugin_sources[marketplace]
  if (declared === undefined) return Option.none<Located>()
  const sourcePlace = ["workflow", "runtime", "plugin_sources", marketplace]
  if (!isLocal(declared.source)) {
    const message = `${plugin.name} is not checked: validation does not fetch ${declared.source}`
    return Option.some(instead(warning(place, message)))
  }
  const root = path.join(yield* assetPath(declared.source, directory), declared.path ?? "")
  if (!(yield* isFolder(root))) return Option.some(instead(error(sourcePlace, `there is no folder ${root}`)))
  // A marketplace says itself where its plugins are.
  if (yield* isFile(path.join(root, ".claude-plugin", "marketplace.json"))) return Option.some(instead())
  const name = declared.plugin ?? plugin.name.slice(0, -marketplace.length - 1)
  const inside = yield* Effect.findFirst([path.join(root, name), path.join(root, "plugins", name)], isFolder)
  return Option.some<Located>(Either.right(Option.getOrElse(inside, () => root)))
})

const locate = Effect.fnUntraced(function* (scope: Scope, place: Place, plugin: Plugin, directory: string | undefined) {
  const { name } = plugin
  if (isAssetPath(name)) {
    if (directory !== undefined || !name.startsWith(".")) {
      return Either.right(yield* assetPath(name, directory ?? "")) satisfies Located
    }
    return instead(warning(place, `${name} is not checked: the workflow is in no file that it could be relative to`))
  }
  const inSource = yield* locateInSource(scope, place, plugin, directory ?? "")
  if (Option.isSome(inSource)) return inSource.value
  const places = yield* Effect.forEach(INSTALLED, (text) => assetPath(text, ""))
  const [installedName = name] = name.split("@")
  const installed = yield* installedPlugin(installedName, places)
  return Option.match(installed, {
    onNone: () =>
      instead(
        error(place, `the plugin ${name} is not installed in ${places.join(" or ")}`, "write a folder with a path")
      ),
    onSome: (folder): Located => Either.right(folder)
  })
})

const brokenSkills = Effect.fnUntraced(function* (place: Place, { skills }: PluginFolder) {
  const read = yield* Effect.forEach(skills, (folder) => Effect.either(readSkill(folder)))
  return read.filter(Either.isLeft).map(({ left }) => error(place, left.message))
})

const dropped = (place: Place, { dropped: parts, name }: PluginFolder): ReadonlyArray<Finding> =>
  parts.length === 0 ? [] : [warning(place, `the ${parts.join(" and ")} of the plugin ${name} are not loaded`)]

interface Read {
  readonly place: Place
  readonly plugin: Plugin
  readonly folder: PluginFolder
}

const serverClashes = (scope: Scope, read: ReadonlyArray<Read>): ReadonlyArray<Finding> => {
  const owners = new Map(Object.keys(scope.document.workflow.runtime.mcp_servers).map((name) => [name, "mcp_servers"]))
  return read
    .filter(({ plugin }) => plugin.mcp)
    .flatMap(({ folder, place }) =>
      folder.servers.flatMap((server) => {
        const owner = owners.get(server)
        owners.set(server, folder.name)
        if (owner === undefined) return []
        const message = `the MCP server "${server}" of the plugin ${folder.name} is also that of ${owner}`
        return [error(place, message, "write mcp: false for one of them")]
      })
    )
}

/** Such a provider loads a plugin whole. */
const partial = ({ entries, place, providers }: AssetList<Plugin>): ReadonlyArray<Finding> =>
  providers.includes("claude-agent-sdk")
    ? entries.flatMap(({ agents, name, skills }, index) =>
        skills && !agents
          ? [error([...place, index], `claude-agent-sdk cannot load the skills of ${name} without its agents`)]
          : []
      )
    : []

const checkList = Effect.fnUntraced(function* (scope: Scope, list: AssetList<Plugin>, directory: string | undefined) {
  const findings: Array<Finding> = [...partial(list)]
  const read: Array<Read> = []
  for (const [index, plugin] of list.entries.entries()) {
    const place = [...list.place, index]
    const located = yield* locate(scope, place, plugin, directory)
    if (Either.isLeft(located)) {
      findings.push(...located.left)
      continue
    }
    const folder = yield* Effect.either(readPlugin(located.right))
    if (Either.isLeft(folder)) {
      findings.push(error(place, folder.left.message))
      continue
    }
    read.push({ place, plugin, folder: folder.right })
    findings.push(...dropped(place, folder.right))
    if (plugin.skills) findings.push(...(yield* brokenSkills(place, folder.right)))
  }
  return [...findings, ...serverClashes(scope, read)]
})

const unusedSources = (scope: Scope): ReadonlyArray<Finding> => {
  const used = new Set(pluginLists(scope).flatMap(({ entries }) => entries.map(({ name }) => marketplaceOf(name))))
  return Object.keys(scope.document.workflow.runtime.plugin_sources)
    .filter((name) => !used.has(name))
    .map((name) =>
      warning(["workflow", "runtime", "plugin_sources", name], `no plugin is taken from the source "${name}"`)
    )
}

export const plugins = Effect.fnUntraced(function* (scope: Scope, directory: string | undefined) {
  const found = yield* Effect.forEach(pluginLists(scope), (list) => checkList(scope, list, directory))
  return [...found.flat(), ...unusedSources(scope)]
})
