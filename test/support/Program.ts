/** The built program, as `npm test` has made it. `CONDUCTOR_DIST` names another build of the same checkout. */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const dist = resolve(root, process.env["CONDUCTOR_DIST"] ?? "dist")

/** Entry script, absolute. */
export const program = resolve(dist, "main.cjs")
