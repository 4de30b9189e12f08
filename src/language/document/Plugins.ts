/** `plugins` and `runtime.plugin_sources`: bundles of skills, agents and MCP servers for LLM steps. */
import { Schema } from "effect"
import { isAssetPath } from "./AssetPath.ts"
import { closed, dictionary, list, optional, orShortForm, withDefault } from "./Keyed.ts"
import { Flag, NonBlankText, Text } from "./Scalars.ts"

const PluginName = NonBlankText.pipe(
  Schema.filter((name) =>
    /[*?[\]]/.test(name) && !isAssetPath(name) ? `a plugin is named exactly, "${name}" looks like a pattern` : undefined
  )
)

export const Plugin = orShortForm(
  closed({
    name: PluginName,
    skills: withDefault(Flag, true),
    agents: withDefault(Flag, true),
    mcp: withDefault(Flag, true)
  }),
  "name"
)
export type Plugin = typeof Plugin.Type

export const Plugins = list(Plugin).pipe(
  Schema.filter((plugins) =>
    plugins.flatMap(({ name }, index) =>
      plugins.findIndex((other) => other.name === name) < index
        ? [{ path: [index, "name"], message: `the plugin "${name}" is named twice` }]
        : []
    )
  )
)

const PluginSource = orShortForm(closed({ source: Text, path: optional(Text), plugin: optional(Text) }), "source")

export const PluginSources = dictionary(PluginSource).pipe(
  Schema.filter((sources) =>
    Object.keys(sources)
      .filter((name) => !/^[A-Za-z0-9_.-]+$/.test(name))
      .map((name) => ({ path: [name], message: `the name "${name}" may only have letters, digits, "_", "." and "-"` }))
  )
)
