/**
 * Turns what can go wrong between us and an OpenAI-compatible endpoint into a `ProviderError`: which kind it is, whether
 * to try again, and what to do about it. The API key must never be part of it.
 */
import { ProviderError } from "./AgentProvider.ts"
import type { OpenAiSdk } from "./OpenAiSdk.ts"
import { categoryOfStatus, isRetryableStatus } from "./StatusCategory.ts"

interface EndpointContext {
  readonly host: string
  readonly model: string
  readonly apiKey: string | undefined
  /** Milliseconds since the epoch, to read a `retry-after` that is a date. */
  readonly now: number
}

/** The reply was longer than anything that a step could use. */
export class ReplyTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`the reply is larger than ${limit} bytes`)
  }
}

const MAX_DETAIL = 500

const redact = (text: string, apiKey: string | undefined): string => {
  const known = apiKey === undefined ? text : text.replaceAll(apiKey, "[redacted]")
  return known.replace(/\bsk-[\w*.-]+/g, "[redacted]")
}

const detail = (text: string, context: EndpointContext): string => {
  const line = redact(text, context.apiKey).trim()
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL).toWellFormed()}…` : line
}

const remedy = (status: number, { apiKey, model }: EndpointContext): string => {
  const where = "OPENAI_API_KEY or workflow.runtime.provider.api_key"
  if (status === 401 || status === 403)
    return apiKey === undefined ? `; no key was sent, set ${where}` : `; check ${where}`
  return status === 404 ? `; check the base URL and whether it has the model '${model}'` : ""
}

/** Milliseconds. `retry-after` is seconds or a date; `retry-after-ms` is more exact where it exists. */
export const retryAfterOf = (headers: Readonly<Record<string, string>>, now: number): number | undefined => {
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN)
  if (milliseconds >= 0) return milliseconds
  const text = headers["retry-after"]
  if (text === undefined || text.trim() === "") return undefined
  const wait = Number.isNaN(Number(text)) ? Date.parse(text) - now : Number(text) * 1000
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const statusError = (
  status: number,
  error: { readonly message: string; readonly responseHeaders?: Record<string, string> | undefined },
  context: EndpointContext
): ProviderError => {
  const retryAfter = retryAfterOf(error.responseHeaders ?? {}, context.now)
  return new ProviderError({
    provider: "openai",
    category: categoryOfStatus(status),
    status,
    retryable: isRetryableStatus(status),
    message: `${context.host} answered HTTP ${status}: ${detail(error.message, context) || "no reason given"}${remedy(status, context)}`,
    ...(retryAfter === undefined ? {} : { retryAfter })
  })
}

/** An error and what it says it was caused by, outermost first. */
const chain = (cause: unknown, depth = 0): ReadonlyArray<unknown> =>
  cause instanceof Error && depth < 10 ? [cause, ...chain(cause.cause, depth + 1)] : [cause]

const innermostMessage = (causes: ReadonlyArray<unknown>): string => {
  const messages = causes.flatMap((cause) => (cause instanceof Error && cause.message !== "" ? [cause.message] : []))
  return messages.at(-1) ?? "unknown failure"
}

/** Sending the same request again may well bring a good reply, so both kinds are retryable. */
const transient = (category: "connection" | "malformed", message: string): ProviderError =>
  new ProviderError({ provider: "openai", category, retryable: true, message })

export const openAiError = (sdk: OpenAiSdk, cause: unknown, context: EndpointContext): ProviderError => {
  const causes = chain(cause)
  const call = causes.find((error) => sdk.APICallError.isInstance(error))
  if (call?.statusCode !== undefined && call.statusCode >= 400) return statusError(call.statusCode, call, context)
  const tooLarge = causes.find((error) => error instanceof ReplyTooLarge)
  if (tooLarge !== undefined) {
    return new ProviderError({
      provider: "openai",
      category: "malformed",
      retryable: false,
      message: `${context.host}: ${tooLarge.message}; set max_tokens`
    })
  }
  const unreadable = causes.some(
    (error) =>
      sdk.JSONParseError.isInstance(error) ||
      sdk.TypeValidationError.isInstance(error) ||
      sdk.InvalidResponseDataError.isInstance(error)
  )
  const reason = detail(innermostMessage(causes), context)
  return unreadable
    ? transient("malformed", `${context.host} did not answer with a chat completion: ${reason}; check the base URL`)
    : transient("connection", `connection to ${context.host} failed: ${reason}; check the base URL and the network`)
}
