/** What each model provider of the file format can do (workflow language §7.2): facts, no behaviour. */
import type { ProviderName } from "../document/Vocabulary.ts"

export interface Capabilities {
  readonly tier: "stable" | "experimental"
  readonly mcp: boolean
  /** Whether a step can be given some of the tools and not others. */
  readonly toolsFilter: boolean
  /** The reasoning efforts that it knows. */
  readonly efforts: ReadonlyArray<string>
  readonly structuredOutput: "native" | "prompt"
  readonly workingDirectory: boolean
  /** `eager`: their text is put into every prompt; `plugin`: only those that are part of a plugin. */
  readonly skills: "native" | "plugin" | "eager" | "none"
  readonly plugins: boolean
  readonly sessionKey: boolean
  readonly maxTemperature: number
}

const LOW_TO_MAX = ["low", "medium", "high", "xhigh", "max"]

const stable: Capabilities = {
  tier: "stable",
  mcp: true,
  toolsFilter: true,
  efforts: LOW_TO_MAX,
  structuredOutput: "native",
  workingDirectory: true,
  skills: "eager",
  plugins: false,
  sessionKey: false,
  maxTemperature: 1
}

const experimental: Capabilities = { ...stable, tier: "experimental", toolsFilter: false, structuredOutput: "prompt" }

export const CAPABILITIES: Readonly<Record<ProviderName, Capabilities>> = {
  copilot: { ...stable, structuredOutput: "prompt", skills: "native", plugins: true },
  openai: { ...stable, efforts: ["low", "medium", "high"], maxTemperature: 2 },
  claude: stable,
  "claude-agent-sdk": { ...experimental, efforts: [], skills: "plugin", plugins: true, sessionKey: true },
  hermes: { ...experimental, mcp: false, efforts: ["low", "medium", "high", "xhigh"], workingDirectory: false },
  aca: { ...experimental, workingDirectory: false, skills: "none" }
}
