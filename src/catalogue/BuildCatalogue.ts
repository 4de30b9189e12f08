/**
 * Reads registries and folders and makes the catalogue of them. It cannot fail: what cannot be read is told in the
 * contents, and hides nothing else. It never runs, expands or includes anything.
 */
import { type Duration, Effect, Option } from "effect"
import { Home } from "../platform/Home.ts"
import { assembleCatalogue } from "./AssembleCatalogue.ts"
import type { CatalogueContents } from "./CatalogueEntry.ts"
import type { CatalogueOptions } from "./CatalogueOptions.ts"
import { findPlaces, listPlace, type Place } from "./EnumerateRegistries.ts"
import type { FileStamp } from "./FileStamp.ts"
import { folderPaths, holds, takeFingerprint } from "./Fingerprint.ts"
import { readCandidates } from "./ReadCandidates.ts"

interface BuiltCatalogue {
  readonly contents: CatalogueContents
  readonly fingerprint: ReadonlyArray<FileStamp>
  /** Whether the fingerprint notices every change from now on; otherwise the contents must not be kept for a later start. */
  readonly freshness: "settled" | "unsettled"
}

/**
 * How long listing may take, and reading after it; `Duration.infinity` for a build that nobody waits for. Hosts give a
 * server 30 seconds to start. It is generous since lateness costs more than time: a workflow that is not understood by
 * then keeps neither its name nor, unless its registry's index gives it, its exposure.
 */
const DEADLINE: Duration.DurationInput = "10 seconds"

const isIndex = ({ kind, path }: FileStamp): boolean => kind !== "absent" && /[\\/]index\.(?:yaml|json)$/.test(path)

const placesAtOnce = { concurrency: 8 }

const readPlace = (place: Place, deadline: Duration.DurationInput) =>
  Effect.gen(function* () {
    const paths = yield* Option.match(place.folder, { onNone: () => Effect.succeed([]), onSome: folderPaths })
    const fingerprint = yield* takeFingerprint(paths)
    const listed = yield* listPlace(place, deadline)
    // The listing of an index names broken entries but not their files, so their repair would go unnoticed.
    const hidesRepairs = listed.excluded.length > 0 && fingerprint.stamps.some(isIndex)
    return { fingerprint, listed, isComplete: listed.outcome !== "late" && !hidesRepairs }
  })

/** What is served under these options, and whether a snapshot of it can be trusted later. */
export const buildCatalogue = Effect.fn("BuildCatalogue.build")(function* (
  options: CatalogueOptions,
  deadline: Duration.DurationInput = DEADLINE
) {
  const { registriesFile } = yield* Home
  const configured = yield* takeFingerprint([registriesFile])
  const { excluded, places, warnings } = yield* findPlaces(options)
  const read = yield* Effect.forEach(places, (place) => readPlace(place, deadline), placesAtOnce)
  const listings = read.map(({ listed }) => listed)
  const entries = listings.flatMap((listed) => listed.entries)
  const listedStamps = read.flatMap(({ fingerprint }) => fingerprint.stamps)
  const known = new Set(listedStamps.map(({ path }) => path))
  const others = yield* takeFingerprint(entries.map(({ file }) => file).filter((file) => !known.has(file)))
  const sizes = new Map([...listedStamps, ...others.stamps].map(({ path, size }) => [path, Number(size)]))
  const workflows = yield* readCandidates(entries, (file) => sizes.get(file) ?? 0, deadline)
  const contents = assembleCatalogue(workflows.candidates, options, {
    excluded: [...excluded, ...listings.flatMap((listed) => listed.excluded), ...workflows.excluded],
    warnings: [...warnings, ...listings.flatMap((listed) => listed.warnings)]
  })
  const fingerprints = [configured, ...read.map(({ fingerprint }) => fingerprint), others]
  const isComplete = workflows.outcome === "complete" && read.every((place) => place.isComplete)
  const built: BuiltCatalogue = {
    contents,
    fingerprint: fingerprints.flatMap(({ stamps }) => stamps),
    freshness: isComplete && fingerprints.every(holds) ? "settled" : "unsettled"
  }
  return built
})
