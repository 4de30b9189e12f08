/** Whether a provider can be given what a plugin brings (workflow language §7.7). Pure. */
import { brokenAsset, type AssetFault } from "./AssetFault.ts"
import type { LoadedPlugin } from "./StepAssets.ts"

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
  const isEmpty = (!entry.skills || skills.length === 0) && (!entry.mcp || servers.length === 0)
  return isEmpty
    ? brokenAsset(`the plugin ${name} brings neither skills nor MCP servers for the provider ${provider}`)
    : undefined
}
