/**
 * The port to what registries hold. A source lists the workflows of a registry and reads their text; it never runs,
 * expands or judges them, and one broken entry never hides the others.
 */
import { Context, Effect } from "effect"
import { nearest } from "../domain/NearMatch.ts"
import type { Registry } from "./Registry.ts"
import { RegistryError } from "./RegistryError.ts"

/** One workflow of a registry. Everything but `registry`, `root` and `file` was written by the registry's author. */
export interface RegistryEntry {
  /** Name of the registry, or `dir:<basename>` for a folder that is none. */
  readonly registry: string
  readonly key: string
  /** Real path of the folder that the entry's files may not leave. */
  readonly root: string
  /** Absolute path below `root`. */
  readonly file: string
  readonly description?: string
  /** The index's `input` and `mcp` blocks as they were written; the reader validates them. */
  readonly indexInput?: unknown
  readonly indexMcp?: unknown
}

export interface EntryProblem {
  readonly key: string
  /** Reason and remedy in words. */
  readonly reason: string
}

export interface RegistryListing {
  /** In the order of their keys, by code unit; each key once. */
  readonly entries: ReadonlyArray<RegistryEntry>
  /** What is there but cannot be served. */
  readonly problems: ReadonlyArray<EntryProblem>
}

export interface RegistrySourceShape {
  readonly list: (registry: Registry) => Effect.Effect<RegistryListing, RegistryError>
  /** The workflow files that are direct children of a folder, whether or not it has an index. */
  readonly directory: (directory: string) => Effect.Effect<RegistryListing, RegistryError>
  readonly resolve: (registry: Registry, key: string) => Effect.Effect<RegistryEntry, RegistryError>
  /** The text of an entry as it is now; checked again, since the disk may have changed since the listing. */
  readonly read: (entry: RegistryEntry) => Effect.Effect<string, RegistryError>
}

export class RegistrySource extends Context.Tag("conductor/RegistrySource")<RegistrySource, RegistrySourceShape>() {}

/** The entry of this key, or an error that says why it cannot be served or names the nearest key. */
export const entryOf = (
  listing: RegistryListing,
  registry: Registry,
  key: string
): Effect.Effect<RegistryEntry, RegistryError> => {
  const entry = listing.entries.find((candidate) => candidate.key === key)
  if (entry !== undefined) return Effect.succeed(entry)
  const broken = listing.problems.find((problem) => problem.key === key)
  if (broken !== undefined) {
    return new RegistryError({
      registry: registry.name,
      problem: "unavailable",
      reason: `the workflow '${key}' cannot be used: ${broken.reason}`,
      remedy: `See 'conductor registry list ${registry.name}' for the others.`
    })
  }
  const keys = listing.entries.map((candidate) => candidate.key)
  const near = nearest(key, keys)
  return new RegistryError({
    registry: registry.name,
    problem: "unknown",
    reason: `there is no workflow '${key}'`,
    remedy:
      near !== undefined
        ? `Did you mean '${near}'?`
        : `See 'conductor registry list ${registry.name}' for the ${keys.length} that are there.`
  })
}

const byKey = (left: { readonly key: string }, right: { readonly key: string }): number =>
  left.key < right.key ? -1 : left.key > right.key ? 1 : 0

export const listingOf = (
  entries: ReadonlyArray<RegistryEntry>,
  problems: ReadonlyArray<EntryProblem>
): RegistryListing => ({ entries: [...entries].sort(byKey), problems: [...problems].sort(byKey) })
