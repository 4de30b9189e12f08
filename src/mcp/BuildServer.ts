/** Builds the catalogue when no snapshot of it can be used, and keeps it for the next start. Loaded only then. */
import { Effect, Layer } from "effect"
import { buildCatalogue } from "../catalogue/BuildCatalogue.ts"
import type { CatalogueContents } from "../catalogue/CatalogueEntry.ts"
import { writeSnapshot } from "../catalogue/CatalogueSnapshot.ts"
import { RegistriesLive } from "../registries/RegistriesLive.ts"
import type { CatalogueRequest } from "./CatalogueRequest.ts"
import { stderrLogger } from "./StderrLogger.ts"

const services = Layer.mergeAll(RegistriesLive, stderrLogger)

/** Without a snapshot the next start is slower; that is no reason to fail this one. */
const sayUnkept = (error: unknown) =>
  Effect.logWarning("The catalogue was not kept, so the next start has to build it again", error)

const build = Effect.fn("BuildServer.build")(function* ({ key, file, options }: CatalogueRequest) {
  const { contents, fingerprint, freshness } = yield* buildCatalogue(options)
  if (freshness === "settled") {
    yield* Effect.try(() => writeSnapshot(file, { key, contents, fingerprint })).pipe(
      Effect.catchAll(({ error }) => sayUnkept(error))
    )
  }
  return contents
})

export const buildAndKeep = (request: CatalogueRequest): Promise<CatalogueContents> =>
  Effect.runPromise(Effect.provide(build(request), services))
