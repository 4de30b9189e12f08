/** Whether and when a failed call to a provider is repeated (workflow language §5.13). Pure; the waiting is elsewhere. */
import { Duration } from "effect"
import type { ProviderError } from "../agents/AgentProvider.ts"
import type { Retry } from "../language/document/Retry.ts"

export interface RetryPolicy {
  readonly maxAttempts: number
  readonly backoff: Retry["backoff"]
  /** Seconds. */
  readonly base: number
  readonly on: Retry["retry_on"]
}

/** Seconds. A longer wait that the server or a configured base asks for is cut to this, or to the base itself. */
const CAP = 30
const JITTER = 0.25

export const retryPolicy = (retry: Retry | undefined, defaultAttempts: number): RetryPolicy =>
  retry === undefined
    ? { maxAttempts: defaultAttempts, backoff: "exponential", base: 1, on: ["provider_error", "timeout"] }
    : { maxAttempts: retry.max_attempts, backoff: retry.backoff, base: retry.delay_seconds, on: retry.retry_on }

/** `attempt` is the one that failed, from 1. */
export const shouldRetry = (policy: RetryPolicy, error: ProviderError, attempt: number): boolean =>
  error.retryable &&
  attempt < policy.maxAttempts &&
  policy.on.includes(error.category === "timeout" ? "timeout" : "provider_error")

/** Whole milliseconds. `chance` is a random number from 0 to 1; it spreads clients that failed together. */
export const retryDelay = (
  policy: RetryPolicy,
  error: ProviderError,
  attempt: number,
  chance: number
): Duration.Duration => {
  const cap = Math.max(CAP, policy.base)
  if (error.retryAfter !== undefined) return Duration.seconds(Math.min(error.retryAfter / 1000, cap))
  const raw = policy.backoff === "fixed" ? policy.base : policy.base * 2 ** (attempt - 1)
  return Duration.millis(Math.round(Math.min(raw, cap) * (1 + chance * JITTER) * 1000))
}
