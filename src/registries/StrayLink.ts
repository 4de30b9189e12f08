/** Symbolic links in content that strangers wrote: none may lead out of its folder. */
import { Effect } from "effect"
import { readdir, realpath } from "node:fs/promises"
import { join } from "node:path"
import { type FileError, fileError } from "../platform/PrivateFiles.ts"
import { isBelow } from "./RootedFile.ts"

const firstStray = async (root: string, folder: string): Promise<string | undefined> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => undefined)
      if (target === undefined || (target !== root && !isBelow(root, target))) return path
    } else if (entry.isDirectory()) {
      const found = await firstStray(root, path)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The first link below `root`, a real path, that leads out of it or nowhere; a link that leads nowhere may lead out later. */
export const findStrayLink = (root: string): Effect.Effect<string | undefined, FileError> =>
  Effect.tryPromise({ try: () => firstStray(root, root), catch: fileError("inspect", root) })
