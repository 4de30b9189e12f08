import { describe, expect, it } from "vitest"
import { retryAfterOf } from "../../../src/agents/OpenAiError.ts"

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

describe("retryAfterOf", () => {
  it.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined]
  ])("%o is %s milliseconds", (headers, expected) => {
    expect(retryAfterOf(headers, NOW)).toBe(expected)
  })
})
