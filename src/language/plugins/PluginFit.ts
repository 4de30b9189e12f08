/** Whether a provider can be given what a plugin brings (workflow language §7.7). Pure. */
import { brokenAsset, type AssetFault } from "../skills/AssetFault.ts"
import type { LoadedPlugin } from "../skills/StepAssets.ts"

/** `without-agents`: its skills and MCP servers, but the provider has no subagents. */
export type PluginSupport = "whole" | "without-agents" | "none"

/** Undefined when it fits. That a provider takes no plugins at all is told elsewhere. */
export const pluginMisfit = (
  { entry, folder: { agents, name, servers, skills } }: LoadedPlugin,
  provider: string,
  support: PluginSupport
): AssetFault | undefined => {
  if (support !== "without-agents") return undefined
  if (entry.agents && agents.length > 0) {
    const message = `the provider ${provider} has no subagents, and the plugin ${name} brings some (${agents.join(", ")})`
    return brokenAsset(message, "write agents: false if the plugin is of use without them")
  }
  const isEmpty = (!entry.skills || skills.length === 0) && (!entry.mcp || Object.keys(servers).length === 0)
  return isEmpty
    ? brokenAsset(`the plugin ${name} brings neither skills nor MCP servers for the provider ${provider}`)
    : undefined
}

interface ServerClash<P> {
  readonly plugin: P
  readonly fault: AssetFault
}

/** Two servers of one name, of which a step could not say which it means. `own`: the names that the workflow itself gives. */
export const serverClashes = <P extends LoadedPlugin>(
  own: ReadonlyArray<string>,
  plugins: ReadonlyArray<P>
): ReadonlyArray<ServerClash<P>> => {
  const owners = new Map(own.map((name) => [name, "mcp_servers"]))
  return plugins
    .filter(({ entry }) => entry.mcp)
    .flatMap((plugin) =>
      Object.keys(plugin.folder.servers).flatMap((server) => {
        const owner = owners.get(server)
        owners.set(server, plugin.folder.name)
        if (owner === undefined) return []
        const message = `the MCP server "${server}" of the plugin ${plugin.folder.name} is also that of ${owner}`
        return [{ plugin, fault: brokenAsset(message, "write mcp: false for one of them") }]
      })
    )
}
