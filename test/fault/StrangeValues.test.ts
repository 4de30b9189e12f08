/** Values that no model should send, and some will: each is taken whole or refused with the reason, and harms nobody. */
import { describe, expect } from "vitest"
import type { ServerProcess } from "../e2e/mcp/ServerProcess.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, echoing } from "../support/fault/Flows.ts"

/** The whole output, page by page. */
const outputOf = async (server: ServerProcess, answer: Readonly<Record<string, unknown>>): Promise<unknown> => {
  if (answer["output"] !== undefined) return answer["output"]
  const parts: Array<string> = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { run_id } = answer
    const page = await server.call("conductor_run_status", { run_id, output_offset: offset, output_limit: 100_000 })
    const { next_offset, text } = page["output_preview"] as { next_offset?: number; text: string }
    parts.push(text)
    offset = next_offset
  }
  return JSON.parse(parts.join(""))
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : { deeper: nested(depth - 1) })

describe("a value", () => {
  const cases: Readonly<Record<string, readonly [type: string, given: () => unknown]>> = {
    "of a megabyte of text": ["string", () => "Příliš žluťoučký kůň 🐎 {{ workflow }} {% raw %} ".repeat(20_000)],
    "of a hundred thousand items": ["array", () => Array.from({ length: 100_000 }, (_, index) => index)],
    "nested as deep as anybody means": ["object", () => nested(60)],
    "with names that mean something to JavaScript": [
      "object",
      () => JSON.parse('{"": 4, "__proto__": {"polluted": true}, "constructor": 1, "hasOwnProperty": 3, "toString": 2}')
    ],
    "with numbers at the edge of what is exact": ["array", () => [0, -1, 9007199254740991, -9007199254740991, 1.5]]
  }
  for (const [name, [type, given]] of Object.entries(cases)) {
    it(`${name} arrives and comes back whole`, async ({ place, serve }) => {
      addFlow(place, "echo", echoing(type))
      const server = await serve()
      const value = given()
      const answer = await server.call("echo", { given: value, _wait_seconds: 40 })
      expect(answer).toMatchObject({ status: "completed" })
      expect(JSON.stringify(await outputOf(server, answer))).toBe(JSON.stringify({ given: value }))
      expect(Math.max(...server.lines.map((line) => line.length))).toBeLessThan(1 << 18)
      expect(await server.call("add", { left: 1 })).toMatchObject({ output: { sum: 2 } })
    })
  }

  it("nested deeper than 64 levels is cut on its way out, and says so", async ({ place, serve }) => {
    addFlow(place, "echo", echoing("object"))
    const server = await serve()
    const answer = await server.call("echo", { given: nested(200), _wait_seconds: 40 })
    expect(answer).toMatchObject({ status: "completed" })
    expect(JSON.stringify(answer["output"])).toContain("[cut: nested deeper than 64 levels]")
  })

  it("nested deeper than any stack is refused with the reason, and starts nothing", async ({ place, serve }) => {
    addFlow(place, "echo", echoing("object"))
    const server = await serve()
    for (const depth of [300, 5_000, 100_000]) {
      // Written by hand, since not even `JSON.stringify` can do it.
      const given = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
      const params = `{"name":"echo","arguments":{"given":${given}}}`
      server.write(`{"jsonrpc":"2.0","id":${depth},"method":"tools/call","params":${params}}\n`)
      expect((await server.answer(depth)).result).toMatchObject({
        isError: true,
        structuredContent: {
          error: {
            type: "ArgumentsError",
            message: expect.stringContaining("'given' is nested deeper than 256 levels")
          }
        }
      })
    }
    expect(await server.call("conductor_list_runs")).toMatchObject({ total: 0 })
  })

  it("under a name that means something to JavaScript is no parameter", async ({ serve }) => {
    const server = await serve()
    for (const name of ["constructor", "toString", "hasOwnProperty"]) {
      expect(await server.call("add", { left: 1, [name]: 2 })).toMatchObject({
        error: { type: "ArgumentsError", message: expect.stringContaining(`'${name}' is not a parameter`) }
      })
    }
    // The library of the protocol takes this one out before anybody sees it.
    const polluting = JSON.parse('{ "left": 1, "__proto__": { "right": 41 } }') as Readonly<Record<string, unknown>>
    expect(await server.call("add", polluting)).toMatchObject({ output: { sum: 2 } })
    expect(await server.call("add", { left: 1 })).toMatchObject({ output: { sum: 2 } })
  })
})
