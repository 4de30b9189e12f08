/**
 * Reads registries and folders and makes the catalogue of them. It cannot fail: what cannot be read is told in the
 * contents, and hides nothing else. It never runs, expands or includes anything.
 */
import { type Duration, Effect, Option } from "effect"
import { Home } from "../platform/Home.ts"
import { assembleCatalogue } from "./AssembleCatalogue.ts"
import type { CatalogueContents } from "./CatalogueEntry.ts"
import type { CatalogueOptions } from "./CatalogueOptions.ts"
import { findPlaces, type Listed, listPlace, type Place } from "./EnumerateRegistries.ts"
import type { FileStamp } from "./FileStamp.ts"
import { type Fingerprint, folderPaths, holds, takeFingerprint } from "./Fingerprint.ts"
import { readCandidates } from "./ReadCandidates.ts"

export interface BuiltCatalogue {
  readonly contents: CatalogueContents
  readonly fingerprint: ReadonlyArray<FileStamp>
  /** Whether the fingerprint notices every change from now on; otherwise the contents must not be kept for a later start. */
  readonly freshness: "settled" | "unsettled"
}

/**
 * How long listing may take, and reading after it; `Duration.infinity` for a build that nobody waits for. What is not
 * read by then is served only as far as its registry's index tells.
 */
const DEADLINE: Duration.DurationInput = "2 seconds"

/** The listing of an index names entries that are broken but not their files, so their repair would go unnoticed. */
const hidesRepairs = (place: Place, listed: Listed, { stamps }: Fingerprint): boolean =>
  listed.excluded.length > 0 &&
  Option.exists(place.folder, (folder) =>
    stamps.some(
      ({ kind, path }) => kind !== "absent" && path.startsWith(folder) && /[\\/]index\.(?:yaml|json)$/.test(path)
    )
  )

export const buildCatalogue = Effect.fn("BuildCatalogue.build")(function* (
  options: CatalogueOptions,
  deadline: Duration.DurationInput = DEADLINE
) {
  const { registriesFile } = yield* Home
  const configured = yield* takeFingerprint([registriesFile])
  const { excluded, places, warnings } = yield* findPlaces(options)
  const folders = yield* Effect.forEach(
    places,
    ({ folder }) => Option.match(folder, { onNone: () => Effect.succeed([]), onSome: folderPaths }),
    {
      concurrency: 8
    }
  )
  const enumerated = yield* takeFingerprint(folders.flat())
  const listings = yield* Effect.forEach(places, (place) => listPlace(place, deadline), { concurrency: 8 })
  const entries = listings.flatMap((listed) => listed.entries)
  const files = yield* takeFingerprint(entries.map(({ file }) => file))
  const sizes = new Map(files.stamps.map(({ path, size }) => [path, Number(size)]))
  const read = yield* readCandidates(entries, (file) => sizes.get(file) ?? 0, deadline)
  const contents = assembleCatalogue(read.candidates, options, {
    excluded: [...excluded, ...listings.flatMap((listed) => listed.excluded), ...read.excluded],
    warnings: [...warnings, ...listings.flatMap((listed) => listed.warnings)]
  })
  const fingerprints = [configured, enumerated, files]
  const isSettled =
    read.outcome === "complete" &&
    listings.every(({ outcome }) => outcome !== "late") &&
    !places.some((place, index) => {
      const listed = listings[index]
      return listed !== undefined && hidesRepairs(place, listed, enumerated)
    }) &&
    fingerprints.every(holds)
  return {
    contents,
    fingerprint: fingerprints.flatMap(({ stamps }) => stamps),
    freshness: isSettled ? "settled" : "unsettled"
  } satisfies BuiltCatalogue as BuiltCatalogue
})
