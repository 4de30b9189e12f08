/**
 * The libraries that speak the OpenAI wire format, loaded only when a step needs a model. The only importer of the AI
 * SDK and of undici.
 */
import { Effect, type Scope } from "effect"
import { limitedBytes } from "../platform/LimitedBytes.ts"
import { ProviderError } from "./AgentProvider.ts"

const load = async () => {
  // The SDK would print its warnings on stdout, which belongs to the protocol of our own server.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const [ai, compatible, undici] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
    import("@effect/platform-node/Undici")
  ])
  const {
    APICallError,
    generateText,
    InvalidResponseDataError,
    jsonSchema,
    JSONParseError,
    Output,
    TypeValidationError
  } = ai
  return {
    APICallError,
    InvalidResponseDataError,
    JSONParseError,
    TypeValidationError,
    Output,
    generateText,
    jsonSchema,
    createOpenAICompatible: compatible.createOpenAICompatible,
    // The default export, because a bundle cannot know the names that a CommonJS module exports.
    Agent: undici.default.Agent,
    fetch: undici.default.fetch
  }
}

export type OpenAiSdk = Awaited<ReturnType<typeof load>>

export const loadOpenAiSdk: Effect.Effect<OpenAiSdk, ProviderError> = Effect.tryPromise({
  try: load,
  catch: (cause) =>
    new ProviderError({
      provider: "openai",
      category: "request",
      retryable: false,
      message: `the AI SDK cannot be loaded, install conductor again: ${cause instanceof Error ? cause.message : String(cause)}`
    })
})

interface FetchOptions {
  /** Bytes of one reply, decompressed. */
  readonly limit: number
  readonly tooLarge: () => Error
}

/**
 * `fetch` for slow and untrusted replies: without the five minutes after which Node's own gives up on a model that still
 * thinks (our timeout is the caller's), and with a limit to what it will hold.
 */
export const patientFetch = (
  sdk: OpenAiSdk,
  { limit, tooLarge }: FetchOptions
): Effect.Effect<typeof globalThis.fetch, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new sdk.Agent({ headersTimeout: 0, bodyTimeout: 0 })),
    (agent) => Effect.promise(() => agent.destroy())
  ).pipe(
    Effect.map((agent): typeof globalThis.fetch => async (url, init) => {
      const response = await sdk.fetch(url instanceof Request ? url.url : url, {
        method: init?.method ?? "GET",
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === "string" ? init.body : null,
        signal: init?.signal ?? null,
        dispatcher: agent
      })
      return new Response(response.body?.pipeThrough(limitedBytes(limit, tooLarge)) ?? null, {
        status: response.status,
        statusText: response.statusText,
        headers: Object.fromEntries(response.headers)
      })
    })
  )
