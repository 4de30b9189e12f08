/** Where the repository around a folder ends. */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"

/** A folder and those around it up to the root of the repository; the folder alone outside of one. Nearest first. */
export const upToRepository = (folder: string): Effect.Effect<ReadonlyArray<string>, never, FileSystem | Path> =>
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
