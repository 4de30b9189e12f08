/** The repositories that plugins are taken from, for runs: fetched like those of workflows. */
import { Effect, Layer } from "effect"
import type { RemoteSource } from "../language/plugins/PluginSource.ts"
import { PluginSources, type FetchedSource } from "../language/plugins/PluginSources.ts"
import { Repositories, type RepositoryReference } from "./Repositories.ts"

const referenceOf = (source: RemoteSource): RepositoryReference => {
  const version = source.ref === undefined ? {} : { ref: source.ref }
  return source._tag === "Address"
    ? { address: source.address, ...version }
    : { owner: source.owner, repository: source.repository, ...version }
}

export const layer: Layer.Layer<never, never, Repositories> = Layer.effect(
  PluginSources,
  Effect.map(Repositories, (repositories) => ({
    fetch: Effect.fn("PluginSources.fetch")((source: RemoteSource) =>
      repositories.fetch(referenceOf(source)).pipe(
        Effect.map(({ root }): FetchedSource => ({ _tag: "Found", folder: root })),
        Effect.catchAll((error) =>
          Effect.succeed<FetchedSource>(
            error.problem === "not-asked" ? { _tag: "NotFetched" } : { _tag: "Refused", message: error.message }
          )
        )
      )
    )
  }))
)
