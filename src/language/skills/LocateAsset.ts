/** Where the skills and plugins that a workflow names are on this machine. */
import { homedir } from "node:os"
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import { Environment } from "../../platform/Environment.ts"

export type AssetServices = FileSystem | Path | Environment

const home = Effect.map(Environment, ({ variables }) => variables.get("HOME") ?? homedir())

/** Absolute; a relative path begins at `directory`, that of the workflow file. */
export const assetPath = Effect.fnUntraced(function* (text: string, directory: string) {
  const path = yield* Path
  return /^~(?:[\\/]|$)/.test(text) ? path.join(yield* home, text.slice(1)) : path.resolve(directory, text)
})

export const isFolder = (path: string): Effect.Effect<boolean, never, FileSystem> =>
  Effect.flatMap(FileSystem, (files) => files.stat(path)).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )

export const isFile = (path: string): Effect.Effect<boolean, never, FileSystem> =>
  Effect.flatMap(FileSystem, (files) => files.stat(path)).pipe(
    Effect.map(({ type }) => type === "File"),
    Effect.orElseSucceed(() => false)
  )

/** Absolute paths of what is in a folder, in order; none when it cannot be read. */
export const childrenOf = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem
  const path = yield* Path
  const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
  return names.toSorted().map((name) => path.join(folder, name))
})
