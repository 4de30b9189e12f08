/** A project that has this package, as it would be published, and what it needs among its `node_modules`. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { dist } from "../support/Program.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export interface TemporaryProject {
  /** Absolute. */
  readonly folder: string
  readonly write: (name: string, text: string) => string
  readonly remove: () => void
}

const link = (folder: string, name: string, target: string): void => {
  const path = join(folder, "node_modules", name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

export const makeTemporaryProject = (dependencies: ReadonlyArray<string>): TemporaryProject => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "conductor-project-")))
  // The package's own exports decide what is found; its files are the built ones.
  const packageFolder = join(folder, "package")
  mkdirSync(packageFolder)
  cpSync(join(root, "package.json"), join(packageFolder, "package.json"))
  symlinkSync(dist, join(packageFolder, "dist"))
  link(folder, "conductor-mcp", packageFolder)
  for (const name of dependencies) link(folder, name, join(root, "node_modules", name))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }))
  return {
    folder,
    write: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
