/** What each model provider of the file format can do (workflow language §7.2): facts, no behaviour. */
import type { ProviderName } from "../document/Vocabulary.ts"
import type { PluginSupport } from "../plugins/PluginFit.ts"

export interface Capabilities {
  readonly tier: "stable" | "experimental"
  /** Which MCP servers it can be given. */
  readonly mcp: "all" | "stdio" | "none"
  /** Whether a step can be given some of the tools and not others. */
  readonly toolsFilter: boolean
  /** The reasoning efforts that it knows. */
  readonly efforts: ReadonlyArray<string>
  readonly structuredOutput: "native" | "prompt"
  readonly workingDirectory: boolean
  /** `eager`: their text is put into every prompt; `plugin`: only those that are part of a plugin. */
  readonly skills: "native" | "plugin" | "eager" | "none"
  readonly plugins: PluginSupport
  readonly sessionKey: boolean
  readonly maxTemperature: number
  /** Whether it takes a temperature and a number of output tokens at all. */
  readonly sampling: boolean
  readonly contextTier: boolean
  readonly sandbox: boolean
}

const LOW_TO_MAX = ["low", "medium", "high", "xhigh", "max"]

const stable: Capabilities = {
  tier: "stable",
  mcp: "all",
  toolsFilter: true,
  efforts: LOW_TO_MAX,
  structuredOutput: "native",
  workingDirectory: true,
  skills: "eager",
  plugins: "none",
  sessionKey: false,
  maxTemperature: 1,
  sampling: true,
  contextTier: false,
  sandbox: false
}

const experimental: Capabilities = { ...stable, tier: "experimental", toolsFilter: false, structuredOutput: "prompt" }

export const CAPABILITIES: Readonly<Record<ProviderName, Capabilities>> = {
  copilot: { ...stable, structuredOutput: "prompt", skills: "native", plugins: "whole", contextTier: true },
  // It keeps no transcripts, but is told what was said in a session before.
  openai: {
    ...stable,
    efforts: ["low", "medium", "high"],
    plugins: "without-agents",
    sessionKey: true,
    maxTemperature: 2
  },
  claude: { ...stable, mcp: "stdio" },
  "claude-agent-sdk": {
    ...experimental,
    efforts: [],
    skills: "plugin",
    plugins: "whole",
    sessionKey: true,
    sampling: false
  },
  hermes: { ...experimental, mcp: "none", efforts: ["low", "medium", "high", "xhigh"], workingDirectory: false },
  aca: { ...experimental, workingDirectory: false, skills: "none", sandbox: true }
}

const BY_NAME: ReadonlyMap<string, Capabilities> = new Map(Object.entries(CAPABILITIES))

/** Undefined for a provider that the file format does not know, as an embedding program may have. */
export const capabilitiesOf = (provider: string): Capabilities | undefined => BY_NAME.get(provider)

export const providersThat = (isAble: (capabilities: Capabilities) => boolean): ReadonlyArray<string> =>
  Object.entries(CAPABILITIES).flatMap(([name, capabilities]) => (isAble(capabilities) ? [name] : []))
