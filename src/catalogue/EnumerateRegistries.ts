/** Which workflows there are: those of the selected registries and of the operator's folders. Reads no workflow itself. */
import { Duration, Effect, Option } from "effect"
import { basename, resolve } from "node:path"
import { nearest } from "../domain/NearMatch.ts"
import { type Registry, registriesOf } from "../registries/Registry.ts"
import { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import type { RegistryError } from "../registries/RegistryError.ts"
import { type RegistryEntry, type RegistryListing, RegistrySource } from "../registries/RegistrySource.ts"
import type { ExcludedEntry } from "./CatalogueEntry.ts"
import type { CatalogueOptions } from "./CatalogueOptions.ts"
import { glob } from "./Glob.ts"

/** What is listed: a registry, or a folder that the operator named. */
export interface Place {
  readonly label: string
  /** Absolute; none when it is not on this machine. */
  readonly folder: Option.Option<string>
  readonly list: Effect.Effect<RegistryListing, RegistryError>
}

interface Places {
  readonly places: ReadonlyArray<Place>
  readonly excluded: ReadonlyArray<ExcludedEntry>
  readonly warnings: ReadonlyArray<string>
}

const idleGlob = (pattern: string, names: ReadonlyArray<string>): string => {
  const near = nearest(pattern, names)
  const remedy = near === undefined ? `Known ones: ${names.join(", ") || "none"}.` : `Did you mean '${near}'?`
  return `--registry '${pattern}' matches no registry. ${remedy}`
}

/** `--registry` selects among registries; folders that the operator named are always in. */
export const findPlaces = Effect.fn("EnumerateRegistries.findPlaces")(function* (options: CatalogueOptions) {
  const source = yield* RegistrySource
  const config = yield* RegistriesConfig
  const { registries, warnings } = yield* Effect.match(config.load, {
    onFailure: (error) => ({ registries: [], warnings: [error.message] }),
    onSuccess: (file) => ({ registries: registriesOf(file), warnings: [] })
  })
  const globs = options.registries.map(glob)
  const names = registries.map(({ name }) => name)
  const isSelected = ({ name }: Registry): boolean => globs.length === 0 || globs.some(({ matches }) => matches(name))
  const ofRegistry = (registry: Registry): Place => ({
    label: registry.name,
    folder: registry.type === "path" ? Option.some(resolve(registry.source)) : Option.none(),
    list: source.list(registry)
  })
  const ofDirectory = (directory: string): Place => ({
    label: `dir:${basename(directory)}`,
    folder: Option.some(directory),
    list: source.directory(directory)
  })
  const directories = new Set(options.workflowDirectories.map((directory) => resolve(directory)))
  const found: Places = {
    places: [...registries.filter(isSelected).map(ofRegistry), ...Array.from(directories, ofDirectory)],
    excluded: registries
      .filter((registry) => !isSelected(registry))
      .map(({ name }) => ({
        registry: name,
        key: "*",
        rung: "registry",
        reason: "no --registry pattern matches it"
      })),
    warnings: [
      ...warnings,
      ...globs.filter(({ matches }) => !names.some(matches)).map(({ pattern }) => idleGlob(pattern, names))
    ]
  }
  return found
})

export interface Listed {
  readonly entries: ReadonlyArray<RegistryEntry>
  readonly excluded: ReadonlyArray<ExcludedEntry>
  readonly warnings: ReadonlyArray<string>
  /** `late`: it did not answer in time, and may the next time. */
  readonly outcome: "listed" | "failed" | "late"
}

/** Broken entries are excluded with their reason; a place that fails as a whole becomes a warning. */
export const listPlace = ({ label, list }: Place, deadline: Duration.DurationInput): Effect.Effect<Listed> => {
  const failed = (message: string, outcome: "failed" | "late"): Listed => ({
    entries: [],
    excluded: [],
    warnings: [message],
    outcome
  })
  const late = `'${label}' was not listed within ${Duration.format(deadline)}. Check its disk, then restart the server.`
  // Disconnected: a file system that hangs cannot be interrupted, and nobody should wait for that.
  return Effect.disconnect(list).pipe(
    Effect.timeoutOption(deadline),
    Effect.match({
      onFailure: (error) => failed(error.message, "failed"),
      onSuccess: Option.match({
        onNone: () => failed(late, "late"),
        onSome: ({ entries, problems }): Listed => ({
          entries,
          excluded: problems.map(({ key, reason }) => ({ registry: label, key, rung: "rejected", reason })),
          warnings: [],
          outcome: "listed"
        })
      })
    })
  )
}
