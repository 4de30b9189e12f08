/** From an entry of a `plugins` list to the folder of the plugin (workflow language §7.7). */
import { Path } from "@effect/platform/Path"
import { Effect, Either, Option } from "effect"
import { isAssetPath } from "../document/AssetPath.ts"
import type { Runtime } from "../document/Runtime.ts"
import { isFolder } from "../LookAtFiles.ts"
import { brokenAsset, unplacedAsset, type AssetFault } from "../skills/AssetFault.ts"
import { assetPath } from "../skills/LocateAsset.ts"
import { installedPlugin } from "./InstalledPlugin.ts"
import { listedPlugin } from "./Marketplace.ts"
import { parsePluginSource } from "./PluginSource.ts"
import { PluginSources } from "./PluginSources.ts"

type Sources = Runtime["plugin_sources"]

interface PluginPlace {
  /** Absolute. */
  readonly folder: string
  /** Absolute paths of what says that it is there. */
  readonly files: ReadonlyArray<string>
}

/** Where a plugin is, or why it is nowhere. */
type LocatedPlugin = Either.Either<PluginPlace, AssetFault>

const at = (folder: string, ...files: ReadonlyArray<string>): LocatedPlugin => Either.right({ folder, files })

/** `plugin@marketplace` in its parts. */
const partsOf = (name: string): readonly [plugin: string, marketplace?: string] => {
  const sign = name.indexOf("@", 1)
  return sign === -1 || sign === name.length - 1 ? [name] : [name.slice(0, sign), name.slice(sign + 1)]
}

/** The source that an entry is taken from, if it says one. */
export const marketplaceOf = (name: string): string | undefined => (isAssetPath(name) ? undefined : partsOf(name)[1])

const REMEDY = "get it on this machine and name its folder with a path, as in ./plugin"

/** Names of authors are no names of this program's. */
export const declaredSource = (sources: Sources, marketplace: string | undefined): Sources[string] | undefined =>
  marketplace !== undefined && Object.hasOwn(sources, marketplace) ? sources[marketplace] : undefined

/** The folder that a declared source leads to; `wanted` is the entry that asks for it. */
const folderOfSource = Effect.fnUntraced(function* (
  marketplace: string,
  text: string,
  { directory, wanted }: { readonly directory: string; readonly wanted: string }
) {
  const broken = (message: string) => Either.left<AssetFault>({ ...brokenAsset(message), source: marketplace })
  const parsed = parsePluginSource(text)
  if (Either.isLeft(parsed)) return broken(parsed.left)
  if (parsed.right._tag === "Folder") return Either.right(yield* assetPath(parsed.right.path, directory))
  const { fetch } = yield* PluginSources
  const fetched = yield* fetch(parsed.right)
  switch (fetched._tag) {
    case "Found":
      return Either.right(fetched.folder)
    case "Refused":
      return broken(fetched.message)
    case "NotFetched": {
      const message = `${wanted} is not checked: ${parsed.right.name} is not fetched here`
      return Either.left<AssetFault>({ severity: "unchecked", message, suggestion: REMEDY })
    }
  }
})

const locateInSource = Effect.fnUntraced(function* (
  name: string,
  { path: below = "", plugin, source }: Sources[string],
  directory: string
) {
  const path = yield* Path
  const [short, marketplace = ""] = partsOf(name)
  const broken = (message: string): LocatedPlugin => Either.left({ ...brokenAsset(message), source: marketplace })
  const folder = yield* folderOfSource(marketplace, source, { directory, wanted: name })
  if (Either.isLeft(folder)) return Either.left(folder.left)
  const root = path.join(folder.right, below)
  if (!(yield* isFolder(root))) return broken(`there is no folder ${root}`)
  const own = plugin ?? short
  const listed = yield* listedPlugin(root, own)
  if (Option.isSome(listed) && listed.value._tag === "Unusable") return broken(listed.value.reason)
  if (Option.isSome(listed) && listed.value._tag === "Inside") return at(listed.value.folder, listed.value.file)
  const inside = yield* Effect.findFirst([path.join(root, own), path.join(root, "plugins", own)], isFolder)
  if (Option.isSome(inside)) return at(inside.value)
  return Option.isSome(listed) && listed.value._tag === "Absent" ? broken(listed.value.known) : at(root)
})

/** `directory`: that of the workflow file; undefined for text that came from no file. */
export const locatePlugin = Effect.fn("LocatePlugin.locate")(function* (
  name: string,
  sources: Sources,
  directory: string | undefined
) {
  if (isAssetPath(name)) {
    return directory === undefined && name.startsWith(".")
      ? Either.left(unplacedAsset(name))
      : at(yield* assetPath(name, directory ?? ""))
  }
  const [plugin, marketplace] = partsOf(name)
  const declared = declaredSource(sources, marketplace)
  return declared === undefined
    ? Either.flatMap(yield* installedPlugin(plugin, marketplace), (folder) => at(folder))
    : yield* locateInSource(name, declared, directory ?? "")
})
