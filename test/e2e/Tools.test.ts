/** The tools of a real MCP server in a real run: for an agent, for a step of its own, and when the run dies. */
import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { signal } from "../../src/platform/ProcessGroup.ts"
import { bundledProgram } from "../support/BundledProgram.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow } from "../support/fault/Flows.ts"
import { filesOf, leftoversOf, logOf, pidOf, typesOf } from "../support/fault/RunRecords.ts"
import { completion, openAiWireServer, toolCalls } from "../support/OpenAiWireServer.ts"

const scope = Effect.runSync(Scope.make())
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

let toolServer = ""
beforeAll(async () => {
  const source = fileURLToPath(new URL("../support/mcp/StdioToolServer.ts", import.meta.url))
  toolServer = await Effect.runPromise(Scope.extend(bundledProgram(source), scope))
})

const HEAD = `workflow:
  name: tools
  entry_point: first
  mcp: { mode: async }
`

const servers = () =>
  `mcp_servers: { local: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(toolServer)}], timeout: 60000 } }`

describe("the tools of an MCP server", () => {
  it("are there for a step without a model and for an agent, and what is too long is kept with the run", async ({
    place,
    serve
  }) => {
    const model = await Effect.runPromise(
      Scope.extend(
        openAiWireServer([
          toolCalls([{ name: "local__big", arguments: '{"chars": 2000}' }]),
          toolCalls([{ name: "local__fail", arguments: "{}" }]),
          completion("It is all x.")
        ]),
        scope
      )
    )
    const flow = `${HEAD}  runtime:
    provider: { name: openai, base_url: "${model.url}", api_key: none }
    tool_output: { max_chars: 1000 }
    ${servers()}
agents:
  - name: first
    type: mcp
    server: local
    tool: add
    arguments: { a: 2, b: "{{ 40 }}" }
    output: { sum: { type: number } }
    routes: [{ to: where }]
  - { name: where, type: mcp, server: local, tool: process, routes: [{ to: agent }] }
  - { name: agent, prompt: "What is it?" }
output:
  sum: "{{ first.output.sum }}"
  cwd: "{{ where.output.result.cwd }}"
  text: "{{ agent.output.result }}"
`
    addFlow(place, "tools", flow)
    const server = await serve()
    const { run_id } = await server.call("tools", { _wait_seconds: 0 })
    const runId = String(run_id)
    const ended = await server.call("conductor_await_run", { run_id, wait_seconds: 50 })
    expect(ended).toMatchObject({ status: "completed", output: { sum: 42, text: "It is all x." } })

    const log = logOf(place.home, runId)
    expect(typesOf(log).filter((type) => /^agent_t(?:urn|ool)_/.test(type))).toEqual([
      "agent_turn_start",
      "agent_tool_start",
      "agent_tool_output_truncated",
      "agent_tool_complete",
      "agent_turn_start",
      "agent_tool_start",
      "agent_tool_complete",
      "agent_turn_start"
    ])
    const spilled = log.events.find(({ type }) => type === "agent_tool_output_truncated")?.data["spill_path"]
    expect(dirname(String(spilled))).toBe(filesOf(place.home, runId).spill)
    expect(readFileSync(String(spilled), "utf8")).toBe("x".repeat(2000))
    expect(readFileSync(filesOf(place.home, runId).stdout, "utf8")).toBe("")
    await eventually("nothing is left of the server", 5, () => leftoversOf(runId).length === 0)
  })

  it("end with a run that is killed in the middle of a call", async ({ place, serve }) => {
    const step = "  - { name: first, type: mcp, server: local, tool: hang }"
    addFlow(place, "tools", `${HEAD}  runtime: { ${servers()} }\nagents:\n${step}\n`)
    const server = await serve()
    const { run_id } = await server.call("tools", { _wait_seconds: 0 })
    const runId = String(run_id)
    await eventually("server and guard run", 20, () => leftoversOf(runId).length >= 2)
    const pid = await eventually("the run has a process", 5, () => pidOf(place.home, runId))
    signal(pid, "SIGKILL")
    await eventually("nothing is left", 8, () => leftoversOf(runId).length === 0)
    expect(typesOf(logOf(place.home, runId)).at(-1)).toBe("mcp_started")
  })
})
