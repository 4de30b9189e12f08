/** Where the skills and plugins that a workflow names are on this machine. */
import { homedir } from "node:os"
import type { FileSystem } from "@effect/platform/FileSystem"
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
