/**
 * Makes folders with their missing parents, each 0700. Used instead of the recursive mode of `mkdir`, which never returns
 * on a file system that answers ENOENT for a new folder in one that is there (procfs, autofs): a home on such a one must
 * be refused with a reason. Must not import Effect: it is loaded by every start.
 */
import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** A folder that is there already keeps its mode. Throws what `mkdir` throws. */
export const makeFolders = (path: string): void => {
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeFolders(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (cause) {
    // Whatever the system says of a folder that is there (EEXIST, EROFS, EACCES): there is nothing left to do.
    if (!isFolder(path)) throw cause
  }
}
