import { describe, expect, it } from "vitest"
import { hostLimit } from "../../../src/mcp/HostLimits.ts"
import { awaitWait, startWait } from "../../../src/mcp/WaitTime.ts"

describe("how long a call waits", () => {
  const limits = { server: 300, host: 110 }

  it("left out, only a synchronous workflow waits, as long as server and host allow", () => {
    expect(startWait(undefined, "sync", limits)).toBe(110)
    expect(startWait(undefined, "async", limits)).toBe(0)
    expect(startWait(undefined, "auto", limits)).toBe(0)
  })

  it("0 and less answer at once, whatever the workflow prefers", () => {
    expect(startWait(0, "sync", limits)).toBe(0)
    expect(startWait(-5, "sync", limits)).toBe(0)
  })

  it("a wait is cut to the smaller one of both limits", () => {
    expect(startWait(20, "async", limits)).toBe(20)
    expect(startWait(1_000, "async", limits)).toBe(110)
    expect(startWait(1_000, "async", { server: 30, host: 110 })).toBe(30)
    expect(awaitWait(undefined, limits)).toBe(45)
    expect(awaitWait(undefined, { server: 300, host: 20 })).toBe(20)
  })

  it("with --max-wait-seconds 0 nothing waits", () => {
    expect(startWait(undefined, "sync", { server: 0, host: 110 })).toBe(0)
    expect(awaitWait(60, { server: 0, host: 110 })).toBe(0)
  })
})

describe("limits of hosts", () => {
  /** Name of the client, and the seconds after which that host drops the answer (mcp hosts §4.1). */
  const hosts: ReadonlyArray<readonly [string, number]> = [
    ["claude-code", 120],
    ["claude-ai", 60],
    ["codex-mcp-client", 300],
    ["gemini-cli-mcp-client", 600],
    ["github-copilot-developer", 180],
    ["cursor-vscode", 300]
  ]
  for (const [name, limit] of hosts) {
    it(`${name} has its answer well before its own limit`, () => {
      expect(hostLimit(name)).toBeLessThanOrEqual(limit * 0.95)
      expect(hostLimit(name)).toBeGreaterThanOrEqual(45)
    })
  }

  it("an unknown host, or one without a name, gets 45 seconds", () => {
    expect(hostLimit("some-client")).toBe(45)
    expect(hostLimit(undefined)).toBe(45)
  })
})
