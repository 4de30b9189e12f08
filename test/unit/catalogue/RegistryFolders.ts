/** Real registries in a folder of their own that goes away with the test. */
import { onTestFinished } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { buildCatalogue } from "../../../src/catalogue/BuildCatalogue.ts"
import type { CatalogueOptions } from "../../../src/catalogue/CatalogueOptions.ts"
import { Home } from "../../../src/platform/Home.ts"
import * as PathRegistrySource from "../../../src/registries/PathRegistrySource.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"

export type Files = Readonly<Record<string, string>>

export const defaultOptions: CatalogueOptions = {
  registries: [],
  allow: [],
  deny: [],
  workflowDirectories: [],
  maxDirectTools: 25,
  reservedNames: ["conductor_run_status"]
}

/** A workflow of one script step; `more` is YAML of the `workflow` section, by lines. */
export const workflowText = (name: string, more: ReadonlyArray<string> = []): string =>
  [
    "workflow:",
    `  name: ${JSON.stringify(name)}`,
    "  entry_point: run",
    ...more.map((line) => `  ${line}`),
    "agents:",
    "  - name: run",
    "    type: script",
    "    command: echo",
    ""
  ].join("\n")

export const temporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "catalogue-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export const writeFiles = (folder: string, files: Files): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A home with these registries, each a folder of these files. */
export const homeWith = (registries: Readonly<Record<string, Files>>): string => {
  const home = temporaryFolder()
  for (const [name, files] of Object.entries(registries)) {
    mkdirSync(join(home, "registries", name), { recursive: true })
    writeFiles(join(home, "registries", name), files)
  }
  const sections = Object.keys(registries).map(
    (name) => `[registries.${name}]\ntype = "path"\nsource = ${JSON.stringify(join(home, "registries", name))}\n`
  )
  writeFileSync(join(home, "registries.toml"), sections.join("\n"))
  return home
}

export const layerAt = (home: string) =>
  Layer.mergeAll(RegistriesConfig.layer, PathRegistrySource.layer).pipe(Layer.provideMerge(Home.layerAt(home)))

export const buildAt = (home: string, options: Partial<CatalogueOptions> = {}) =>
  buildCatalogue({ ...defaultOptions, ...options }).pipe(Effect.provide(layerAt(home)))

export const contentsAt = (home: string, options: Partial<CatalogueOptions> = {}) =>
  Effect.map(buildAt(home, options), ({ contents }) => contents)
