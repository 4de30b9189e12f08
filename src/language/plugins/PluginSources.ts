/**
 * The port to the repositories that plugins are taken from. By itself it asks nobody: validation never fetches (workflow
 * language §7.7), and whoever runs workflows says how.
 */
import { Context, Effect } from "effect"
import type { RemoteSource } from "./PluginSource.ts"

export type FetchedSource =
  /** `folder` is absolute, and its files never change. */
  | { readonly _tag: "Found"; readonly folder: string }
  /** `message` gives reason and remedy. */
  | { readonly _tag: "Refused"; readonly message: string }
  | { readonly _tag: "NotFetched" }

export interface PluginSourcesShape {
  /** A source leads to one folder for as long as the service lives. */
  readonly fetch: (source: RemoteSource) => Effect.Effect<FetchedSource>
}

export class PluginSources extends Context.Reference<PluginSources>()("conductor/PluginSources", {
  defaultValue: (): PluginSourcesShape => ({ fetch: () => Effect.succeed({ _tag: "NotFetched" }) })
}) {}
