/** `workflow.runtime`: provider, models and surroundings of the LLM steps (workflow language §1.4). */
import { closed, dictionary, open, optional, withDefault } from "./Keyed.ts"
import { McpServer } from "./McpServers.ts"
import { Plugins, PluginSources } from "./Plugins.ts"
import { Provider } from "./Provider.ts"
import { Flag, integer, number, Text, Texts } from "./Scalars.ts"
import { SkillDiscovery, SkillInjection } from "./Skills.ts"
import { ContextTier, ReasoningEffort } from "./Vocabulary.ts"

const Checkpoint = closed({
  every_agent: withDefault(Flag, false),
  every_seconds: optional(integer({ min: 1 })),
  keep_last: withDefault(integer({ min: 1, max: 100 }), 5)
})

const ToolOutput = closed({
  enabled: withDefault(Flag, true),
  max_chars: withDefault(integer({ min: 1000 }), 50_000),
  spill_to_file: withDefault(Flag, true),
  spill_dir: optional(Text)
})

export const Runtime = open({
  provider: withDefault(Provider, { name: "copilot" }),
  default_model: optional(Text),
  mcp_servers: withDefault(dictionary(McpServer), {}),
  temperature: optional(number({ min: 0, max: 2 })),
  max_tokens: optional(integer({ min: 1, max: 200_000 })),
  /** Seconds per API request. */
  timeout: optional(number({ min: 1 })),
  max_session_seconds: optional(number({ min: 1 })),
  max_agent_iterations: optional(integer({ min: 1, max: 500 })),
  default_reasoning_effort: optional(ReasoningEffort),
  default_context_tier: optional(ContextTier),
  checkpoint: optional(Checkpoint),
  tool_output: optional(ToolOutput),
  working_dir: optional(Text),
  skills: withDefault(Texts, []),
  skill_injection: optional(SkillInjection),
  skill_discovery: optional(SkillDiscovery),
  plugin_sources: withDefault(PluginSources, {}),
  plugins: withDefault(Plugins, [])
})
export type Runtime = typeof Runtime.Type

export const defaultRuntime: Runtime = {
  provider: { name: "copilot" },
  mcp_servers: {},
  skills: [],
  plugin_sources: {},
  plugins: []
}
