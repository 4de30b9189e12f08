/** Plugins that a host has installed on this machine: `<place>/<marketplace>/<name>`. */
import { Path } from "@effect/platform/Path"
import { Effect, Either } from "effect"
import { isFolder, childrenOf } from "../LookAtFiles.ts"
import { brokenAsset } from "../skills/AssetFault.ts"
import { assetPath } from "../skills/LocateAsset.ts"

const PLACES = ["~/.copilot/installed-plugins", "~/.claude/plugins"]

/** `marketplace`: left out, any one; two that have it are a fault, since nobody can say which is meant. */
export const installedPlugin = Effect.fn("InstalledPlugin.find")(function* (
  name: string,
  marketplace: string | undefined
) {
  const path = yield* Path
  const places = yield* Effect.forEach(PLACES, (text) => assetPath(text, ""))
  const all = (yield* Effect.forEach(places, childrenOf)).flat()
  const asked = marketplace === undefined ? all : all.filter((folder) => path.basename(folder) === marketplace)
  const found = yield* Effect.filter(
    asked.map((folder) => path.join(folder, name)),
    isFolder
  )
  const [first, ...others] = found
  if (first === undefined) {
    const from = marketplace === undefined ? "" : ` from ${marketplace}`
    return Either.left(
      brokenAsset(
        `the plugin ${name}${from} is not installed in ${places.join(" or ")}`,
        marketplace === undefined ? "write a folder with a path" : `declare ${marketplace} under plugin_sources`
      )
    )
  }
  const marketplaces = new Set(found.map((folder) => path.basename(path.dirname(folder))))
  return others.length > 0 && marketplaces.size > 1
    ? Either.left(
        brokenAsset(
          `the plugin ${name} is installed from ${[...marketplaces].join(" and ")}`,
          `write ${name}@${[...marketplaces][0] ?? ""}, or another of them`
        )
      )
    : Either.right(first)
})
