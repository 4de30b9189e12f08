/**
 * `runtime.provider`: which model provider runs the LLM steps, and its settings (workflow language §1.5). The short form
 * is the provider's name alone.
 */
import { Schema } from "effect"
import { closed, dictionary, optional, orShortForm, withDefault } from "./Keyed.ts"
import { Flag, NonBlankText, Text, Texts } from "./Scalars.ts"
import { IdentifierScope, ProviderName } from "./Vocabulary.ts"

const Headers = dictionary(Text).pipe(
  Schema.filter((headers) => (Object.keys(headers).length === 0 ? "expected at least one header" : undefined))
)

const fields = {
  name: withDefault(ProviderName, "copilot"),
  type: optional(Schema.Literal("openai", "azure", "anthropic")),
  wire_api: optional(Schema.Literal("completions", "responses")),
  headers: optional(Headers),
  bearer_token: optional(NonBlankText),
  azure: optional(closed({ api_version: optional(Text) })),
  runtime_url: optional(NonBlankText),
  runtime_token: optional(NonBlankText),
  base_url: optional(Text),
  api_key: optional(NonBlankText),
  auth_token: optional(NonBlankText),
  hermes_home: optional(Text),
  hermes_toolsets: optional(Texts),
  hermes_skip_memory: optional(Flag),
  hermes_skip_context_files: optional(Flag),
  pool_endpoint: optional(Text),
  api_version: optional(Text),
  inner_provider: optional(Schema.Literal("copilot", "claude-agent-sdk")),
  identifier_scope: optional(IdentifierScope),
  egress: optional(Schema.Literal("enabled", "disabled")),
  lifecycle: optional(Schema.Literal("timed", "on_container_exit")),
  auth: optional(Schema.Literal("azure_default"))
}

const Settings = closed(fields)
type Settings = typeof Settings.Type
type Setting = Exclude<keyof Settings, "name">

const COPILOT: ReadonlyArray<Setting> = [
  "type",
  "wire_api",
  "headers",
  "bearer_token",
  "azure",
  "runtime_url",
  "runtime_token",
  "base_url",
  "api_key"
]

/** The settings that each provider takes. */
const ALLOWED: Readonly<Record<ProviderName, ReadonlyArray<Setting>>> = {
  copilot: COPILOT,
  openai: ["base_url", "api_key"],
  claude: ["base_url", "api_key", "auth_token"],
  "claude-agent-sdk": [],
  hermes: ["base_url", "api_key", "hermes_home", "hermes_toolsets", "hermes_skip_memory", "hermes_skip_context_files"],
  aca: ["pool_endpoint", "api_version", "inner_provider", "identifier_scope", "egress", "lifecycle", "auth"]
}

const ROUTED: ReadonlyArray<Setting> = ["type", "wire_api", "headers", "azure"]

const misplaced = (settings: Settings): ReadonlyArray<Schema.FilterIssue> =>
  (Object.keys(fields) as ReadonlyArray<keyof Settings>)
    .filter((key): key is Setting => key !== "name" && settings[key] !== undefined)
    .filter((key) => !ALLOWED[settings.name].includes(key))
    .map((key) => {
      const takers = Object.entries(ALLOWED).flatMap(([name, keys]) => (keys.includes(key) ? [name] : []))
      return {
        path: [key],
        message: `provider ${settings.name} has no setting "${key}" (it belongs to ${takers.join(", ")})`
      }
    })

const isPoolEndpoint = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.protocol === "https:" && url.hostname !== "" && url.search === "" && url.hash === ""
}

const copilotRouting = (settings: Settings): ReadonlyArray<Schema.FilterIssue> => {
  const { api_key, azure, base_url, bearer_token, runtime_token, runtime_url, type } = settings
  const issues: Array<Schema.FilterIssue> = []
  if (azure !== undefined && type !== "azure") issues.push({ path: ["azure"], message: `"azure" needs type: azure` })
  if (azure !== undefined && azure.api_version === undefined) {
    issues.push({ path: ["azure", "api_version"], message: `"azure" needs the key "api_version"` })
  }
  const routed = ROUTED.filter((key) => settings[key] !== undefined)
  if (routed[0] !== undefined && base_url === undefined && api_key === undefined && bearer_token === undefined) {
    const message = `"${routed.join('", "')}" needs one of base_url, api_key, bearer_token`
    issues.push({ path: [routed[0]], message })
  }
  if (runtime_token !== undefined && runtime_url === undefined) {
    issues.push({ path: ["runtime_token"], message: `"runtime_token" needs the key "runtime_url"` })
  }
  return issues
}

const aca = ({ pool_endpoint }: Settings): ReadonlyArray<Schema.FilterIssue> => {
  if (pool_endpoint === undefined) return [{ path: [], message: `provider aca needs the key "pool_endpoint"` }]
  if (isPoolEndpoint(pool_endpoint)) return []
  return [{ path: ["pool_endpoint"], message: "expected an https URL with a host and without query or fragment" }]
}

const issuesOf = (settings: Settings): ReadonlyArray<Schema.FilterIssue> => [
  ...misplaced(settings),
  ...(settings.name === "copilot" ? copilotRouting(settings) : []),
  ...(settings.name === "aca" ? aca(settings) : [])
]

export const Provider = orShortForm(Settings.pipe(Schema.filter(issuesOf)), "name")
export type Provider = typeof Provider.Type
