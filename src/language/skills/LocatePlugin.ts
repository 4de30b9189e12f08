/** From an entry of a `plugins` list to the folder of the plugin (workflow language §7.7). Nothing is fetched. */
import { Path } from "@effect/platform/Path"
import { Effect, Either, Option } from "effect"
import { isAssetPath } from "../document/AssetPath.ts"
import type { Runtime } from "../document/Runtime.ts"
import { brokenAsset, unplacedAsset, type AssetFault } from "./AssetFault.ts"
import { isFile, isFolder } from "../LookAtFiles.ts"
import { assetPath } from "./LocateAsset.ts"
import { INSTALLED, installedPlugin } from "./Plugin.ts"

type Sources = Runtime["plugin_sources"]

/** The folder of a plugin, or why there is none. */
type LocatedPlugin = Either.Either<string, AssetFault>

export const marketplaceOf = (name: string): string | undefined => /^[^@]+@(.+)$/.exec(name)?.[1]

/** Not `owner/repository`, which has a slash, too. */
const isLocal = (source: string): boolean => /^(?:[.~]|[\\/]|[A-Za-z]:[\\/])/.test(source)

const REMEDY = "get it on this machine and name its folder with a path, as in ./plugin"

const locateInSource = Effect.fnUntraced(function* (name: string, sources: Sources, directory: string) {
  const path = yield* Path
  const marketplace = marketplaceOf(name) ?? ""
  const declared = sources[marketplace]
  if (declared === undefined) return Option.none<LocatedPlugin>()
  if (!isLocal(declared.source)) {
    const message = `${name} is not checked: validation does not fetch ${declared.source}`
    return Option.some(Either.left<AssetFault>({ severity: "unchecked", message, suggestion: REMEDY }))
  }
  const root = path.join(yield* assetPath(declared.source, directory), declared.path ?? "")
  if (!(yield* isFolder(root))) {
    return Option.some(Either.left<AssetFault>({ ...brokenAsset(`there is no folder ${root}`), source: marketplace }))
  }
  const own = declared.plugin ?? name.slice(0, -marketplace.length - 1)
  const inside = yield* Effect.findFirst([path.join(root, own), path.join(root, "plugins", own)], isFolder)
  if (Option.isNone(inside) && (yield* isFile(path.join(root, ".claude-plugin", "marketplace.json")))) {
    const message = `${name} is not checked: where ${root} keeps its plugins is not read`
    return Option.some(Either.left<AssetFault>({ severity: "unchecked", message, suggestion: REMEDY }))
  }
  return Option.some<LocatedPlugin>(Either.right(Option.getOrElse(inside, () => root)))
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
      : Either.right(yield* assetPath(name, directory ?? ""))
  }
  const inSource = yield* locateInSource(name, sources, directory ?? "")
  if (Option.isSome(inSource)) return inSource.value
  const places = yield* Effect.forEach(INSTALLED, (text) => assetPath(text, ""))
  const [installedName = name] = name.split("@")
  const installed = yield* installedPlugin(installedName, places)
  return Either.fromOption(installed, () =>
    brokenAsset(`the plugin ${name} is not installed in ${places.join(" or ")}`, "write a folder with a path")
  )
})
