/** What is at a path, for whoever looks for something and takes what cannot be read for not being there. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"

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
