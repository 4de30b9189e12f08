/** Where and how an OpenAI-compatible endpoint is reached, and what is wrong with that before anything is sent. */
import { Duration, Effect, type Redacted } from "effect"
import { ProviderError } from "./AgentProvider.ts"

export interface OpenAiConfig {
  readonly baseUrl: string
  /** Local endpoints need none. */
  readonly apiKey?: Redacted.Redacted
  /** For each request. */
  readonly timeout: Duration.Duration
  /** For steps that name no model. */
  readonly defaultModel: string
}

const OPENAI_BASE_URL = "https://api.openai.com/v1"

export const OPENAI_DEFAULTS = {
  baseUrl: OPENAI_BASE_URL,
  timeout: Duration.seconds(600),
  defaultModel: "gpt-5-mini"
} satisfies OpenAiConfig

export const refuse = (message: string, category: "request" | "authentication" = "request"): ProviderError =>
  new ProviderError({ provider: "openai", category, retryable: false, message })

/** Whether an address is OpenAI's own API, which has rules that compatible endpoints do not have. */
export const isOpenAi = (address: string): boolean =>
  address.startsWith(`${OPENAI_BASE_URL}/`) || address === OPENAI_BASE_URL

/** Checked before anything is sent; a URL that is refused is not quoted, since it may hold a password. */
const checkBaseUrl = (text: string): Effect.Effect<URL, ProviderError> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return Effect.fail(
      refuse("the base URL of provider openai is not an http or https URL; check OPENAI_BASE_URL or base_url")
    )
  }
  return url.username === "" && url.password === ""
    ? Effect.succeed(url)
    : Effect.fail(
        refuse("the base URL of provider openai holds credentials; give the key as OPENAI_API_KEY or api_key")
      )
}

const checkKey = (url: URL, { apiKey }: OpenAiConfig): Effect.Effect<void, ProviderError> =>
  apiKey === undefined && isOpenAi(url.href)
    ? Effect.fail(
        refuse(
          `${url.host} needs an API key; set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without one`,
          "authentication"
        )
      )
    : Effect.void

/** The URL of the endpoint, or what to change in the configuration. */
export const checkConfig = (config: OpenAiConfig): Effect.Effect<URL, ProviderError> =>
  Effect.tap(checkBaseUrl(config.baseUrl), (url) => checkKey(url, config))
