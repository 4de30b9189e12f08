/** The catalogue over files: built from the registries, or from a snapshot of an earlier build. */
import { type Duration, Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { pinOf } from "../domain/Pin.ts"
import type { Home } from "../platform/Home.ts"
import { fileError } from "../platform/PrivateFiles.ts"
import type { RegistriesConfig } from "../registries/RegistriesConfig.ts"
import type { RegistrySource } from "../registries/RegistrySource.ts"
import { buildCatalogue } from "./BuildCatalogue.ts"
import { Catalogue, catalogueOf, type Drift } from "./Catalogue.ts"
import type { CatalogueContents, CatalogueEntry } from "./CatalogueEntry.ts"
import type { CatalogueOptions } from "./CatalogueOptions.ts"
import { stampOf } from "./FileStamp.ts"

const ADOPT = "Runs of it are refused until the server is restarted, which adopts the file as it is then."

/** Reads ordinary files only: opening what a path has become since, such as a pipe, could wait for ever. */
const driftOf = ({ file, pin, tool }: CatalogueEntry): Effect.Effect<ReadonlyArray<Drift>> =>
  Effect.gen(function* () {
    const { kind } = yield* Effect.sync(() => stampOf(file))
    if (kind !== "file")
      return [{ tool, reason: `${file} ${kind === "absent" ? "is gone" : "is no file any more"}. ${ADOPT}` }]
    const bytes = yield* Effect.tryPromise({ try: () => readFile(file), catch: fileError("read", file) })
    return pinOf(bytes) === pin ? [] : [{ tool, reason: `${file} has changed since it was pinned. ${ADOPT}` }]
  }).pipe(Effect.catchAll((error) => Effect.succeed([{ tool, reason: error.message }])))

const live = (contents: CatalogueContents) =>
  catalogueOf(
    contents,
    Effect.map(Effect.forEach(contents.entries, driftOf, { concurrency: 8 }), (drifts) => drifts.flat())
  )

/** From contents that a snapshot held. */
export const layerOf = (contents: CatalogueContents): Layer.Layer<Catalogue> => Layer.succeed(Catalogue, live(contents))

/** Reads the registries once, when the layer is built. */
export const layer = (
  options: CatalogueOptions,
  deadline?: Duration.DurationInput
): Layer.Layer<Catalogue, never, Home | RegistriesConfig | RegistrySource> =>
  Layer.effect(
    Catalogue,
    Effect.map(buildCatalogue(options, deadline), ({ contents }) => live(contents))
  )
