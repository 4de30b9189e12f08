/** Where the copy of a file lies inside the pinned copy of a workflow. Pure, and never outside that folder. */
import { createHash } from "node:crypto"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"

/** The folder of a file that lies outside the workflow's own folder; the digest of its path keeps namesakes apart. */
const outside = (path: string): string => join("_outside", createHash("sha256").update(path).digest("hex").slice(0, 16))

/** Relative to the folder of the pinned copy. `workflow` and `path` are absolute. */
export const pinnedPath = (workflow: string, path: string): string => {
  const inside = relative(dirname(workflow), path)
  const escapes = inside === "" || isAbsolute(inside) || inside.split(sep).includes("..")
  return escapes ? join(outside(path), basename(path)) : inside
}
