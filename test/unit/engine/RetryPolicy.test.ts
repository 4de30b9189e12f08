import { Duration } from "effect"
import { describe, expect, it } from "vitest"
import { ProviderError } from "../../../src/agents/AgentProvider.ts"
import { retryDelay, retryPolicy, shouldRetry } from "../../../src/engine/RetryPolicy.ts"

const failure = (fields: Partial<ConstructorParameters<typeof ProviderError>[0]> = {}): ProviderError =>
  new ProviderError({ provider: "test", category: "server", retryable: true, message: "busy", ...fields })

const policy = (fields: object = {}) =>
  retryPolicy(
    { max_attempts: 3, backoff: "exponential", delay_seconds: 2, retry_on: ["provider_error", "timeout"], ...fields },
    1
  )

const delay = (...parameters: Parameters<typeof retryDelay>): number => Duration.toSeconds(retryDelay(...parameters))

describe("retries", () => {
  it("end with the last attempt", () => {
    expect(shouldRetry(policy(), failure(), 2)).toBe(true)
    expect(shouldRetry(policy(), failure(), 3)).toBe(false)
  })

  it("are only for failures that may pass", () => {
    expect(shouldRetry(policy(), failure({ category: "request", retryable: false }), 1)).toBe(false)
  })

  it("are only for the causes that the step names", () => {
    const onTimeout = policy({ retry_on: ["timeout"] })
    expect(shouldRetry(onTimeout, failure({ category: "timeout" }), 1)).toBe(true)
    expect(shouldRetry(onTimeout, failure({ category: "rate_limit" }), 1)).toBe(false)
    expect(shouldRetry(policy({ retry_on: [] }), failure(), 1)).toBe(false)
  })

  it("wait twice as long each time, up to half a minute", () => {
    expect([1, 2, 3, 9].map((attempt) => delay(policy(), failure(), attempt, 0))).toEqual([2, 4, 8, 30])
  })

  it("wait the same time each time when backoff is fixed", () => {
    const fixed = policy({ backoff: "fixed", delay_seconds: 40 })
    expect([1, 2, 9].map((attempt) => delay(fixed, failure(), attempt, 0))).toEqual([40, 40, 40])
  })

  it("are spread by at most a quarter", () => {
    expect(delay(policy(), failure(), 1, 1)).toBe(2.5)
  })

  it("wait as long as the server asks, within the cap", () => {
    expect(delay(policy(), failure({ retryAfter: 7_000 }), 1, 1)).toBe(7)
    expect(delay(policy(), failure({ retryAfter: 600_000 }), 1, 1)).toBe(30)
  })

  it("are the provider's default number when the step has no retry block", () => {
    expect(retryPolicy(undefined, 3).maxAttempts).toBe(3)
  })
})
