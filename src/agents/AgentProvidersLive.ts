/** The model providers of a run, from the `runtime` of its workflow and the environment of its process. */
import { Duration, Effect, Layer, Redacted, Scope } from "effect"
import { AgentProviders, providerUnavailable } from "./AgentProvider.ts"
import { OPENAI_DEFAULTS, type OpenAiConfig } from "./OpenAiConfig.ts"
import { makeOpenAiProvider } from "./OpenAiProvider.ts"

/** What is read of `workflow.runtime` (workflow language §1.4, §1.5). */
export interface ProviderSettings {
  readonly provider?:
    string | { readonly name: string; readonly base_url?: string | undefined; readonly api_key?: string | undefined }
  /** Seconds for each request. */
  readonly timeout?: number | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

const AVAILABLE: ReadonlyArray<string> = ["openai"]

/** Blank counts as unset: hosts pass variables on that nobody filled in. */
const firstFilled = (...texts: ReadonlyArray<string | undefined>): string | undefined =>
  texts.map((text) => text?.trim()).find((text) => text !== undefined && text !== "")

/** The provider object counts only for the provider that it names; the environment fills what it leaves open. */
export const openAiConfig = ({ provider, timeout }: ProviderSettings, environment: Environment): OpenAiConfig => {
  const own = typeof provider === "object" && provider.name === "openai" ? provider : undefined
  const apiKey = firstFilled(own?.api_key, environment["OPENAI_API_KEY"])
  return {
    baseUrl: firstFilled(own?.base_url, environment["OPENAI_BASE_URL"]) ?? OPENAI_DEFAULTS.baseUrl,
    timeout: timeout === undefined ? OPENAI_DEFAULTS.timeout : Duration.seconds(timeout),
    defaultModel: OPENAI_DEFAULTS.defaultModel,
    ...(apiKey === undefined ? {} : { apiKey: Redacted.make(apiKey) })
  }
}

/** Providers are made when a step first asks for them, once a run. */
export const agentProvidersLayer = (
  settings: ProviderSettings,
  environment: Environment
): Layer.Layer<AgentProviders> =>
  Layer.scoped(
    AgentProviders,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const make = Scope.extend(makeOpenAiProvider(openAiConfig(settings, environment)), scope)
      // Not interruptible: a group member that is cancelled meanwhile must not spoil the provider for the others.
      const openai = yield* Effect.cached(Effect.uninterruptible(make))
      return {
        available: AVAILABLE,
        get: (name) => (name === "openai" ? openai : Effect.fail(providerUnavailable(name, AVAILABLE)))
      }
    })
  )
