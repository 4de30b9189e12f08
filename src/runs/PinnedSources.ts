/** The plugin sources of a run that goes on: they lead where they led, and nobody is asked for them again. */
import { Effect } from "effect"
import type { ResolvedSource } from "../domain/ResolvedSource.ts"
import { PluginSources, type PluginSourcesShape } from "../language/plugins/PluginSources.ts"

export const withPinnedSources = (known: ReadonlyArray<ResolvedSource>): Effect.Effect<PluginSourcesShape> =>
  Effect.map(PluginSources, ({ fetch }) => {
    const folders = new Map(known.map(({ folder, source }) => [source, folder]))
    return {
      fetch: (source) => {
        const folder = folders.get(source.name)
        return folder === undefined ? fetch(source) : Effect.succeed({ _tag: "Found", folder })
      }
    }
  })
