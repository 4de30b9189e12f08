/** The tools of LLM steps: which a step may use, what of their calls is told, and what the model reads. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ScriptedAgents, ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { ScriptedToolServers, type ToolScript } from "../../../src/tools/ScriptedToolServers.ts"
import * as ToolSpill from "../../../src/tools/ToolSpill.ts"
import { dataOf, engineFor, recorded, start } from "./RunText.ts"

const workflow = (step = "", { runtime = "", tools = "[]", allowed = '["*"]' } = {}): string => `
workflow:
  name: w
  entry_point: a
  runtime: {mcp_servers: {files: {command: x, tools: ${allowed}}, web: {command: y}}, ${runtime}}
tools: ${tools}
agents: [{name: a, prompt: p, ${step}}]
output: {r: "{{ a.output | tojson }}"}
`

const servers: ToolScript = {
  files: { read: ({ path = "" }) => `text of ${String(path)}`, write: () => ScriptedToolServers.failure("read-only") },
  web: { get: () => "x".repeat(5000) }
}

const calling = (...calls: ReadonlyArray<{ tool: string; arguments?: { path: string } }>): AgentScript => ({
  a: [ScriptedAgents.reply("answer", { calls })]
})

const running = (text: string, script: AgentScript = {}, tools = servers) =>
  Effect.gen(function* () {
    const outcome = yield* start(text)
    const { all } = yield* ScriptedCalls
    const [call] = yield* all
    const given = call?.request.tools
    return {
      outcome,
      events: yield* recorded,
      given: given?.available.map(({ name }) => name),
      rounds: given === undefined ? [] : yield* Ref.get(given.rounds)
    }
  }).pipe(Effect.provide(engineFor({ script, tools })))

const toolEvents = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap(({ data, type }) => (type.startsWith("agent_tool") ? [{ type, ...data }] : []))

describe("the tools of an agent", () => {
  it.effect("are all of its servers, unless workflow, server or step choose", () =>
    Effect.gen(function* () {
      const given = (text: string) => Effect.map(running(text), ({ given }) => given)
      expect(yield* given(workflow())).toEqual(["files__read", "files__write", "web__get"])
      expect(yield* given(workflow("", { allowed: "[read]" }))).toEqual(["files__read", "web__get"])
      const tools = "[files__read, web__get, grep]"
      expect(yield* given(workflow("", { tools }))).toEqual(["files__read", "web__get"])
      expect(yield* given(workflow("tools: [web__get]", { tools }))).toEqual(["web__get"])
      expect(yield* given(workflow("tools: []"))).toBeUndefined()
    })
  )

  it.effect("are reached only on servers that the step may use", () =>
    Effect.gen(function* () {
      const text = workflow("tools: [files__read]", { tools: "[files__read, web__get]" })
      const { files = {} } = servers
      expect((yield* running(text, {}, { files })).outcome._tag).toBe("Completed")
      const failed = yield* running(workflow(), {}, { files })
      expect(failed.outcome).toMatchObject({ errorType: "ExecutionError", step: "a" })
    })
  )

  it.effect("have to be tools of the workflow", () =>
    Effect.gen(function* () {
      const { outcome } = yield* running(workflow("tools: [files__reed]", { tools: "[files__read]" }))
      expect(outcome).toMatchObject({
        errorType: "ValidationError",
        message: `Step 'a': the tool 'files__reed' is not in the workflow's list of tools; did you mean "files__read"?`
      })
    })
  )

  it.effect("are called with a word in the log, and what goes wrong is told to the model", () =>
    Effect.gen(function* () {
      const script = calling({ tool: "files__read", arguments: { path: "a.md" } }, { tool: "files__write" })
      const { events, outcome, rounds } = yield* running(workflow(), script)
      expect(outcome).toEqual({ _tag: "Completed", output: { r: { result: "answer" } } })
      expect(toolEvents(events)).toEqual([
        { type: "agent_tool_start", agent_name: "a", tool_name: "files__read", arguments: '{"path":"a.md"}' },
        {
          type: "agent_tool_complete",
          agent_name: "a",
          tool_name: "files__read",
          result: "text of a.md",
          is_error: false
        },
        { type: "agent_tool_start", agent_name: "a", tool_name: "files__write", arguments: "{}" },
        { type: "agent_tool_complete", agent_name: "a", tool_name: "files__write", result: "read-only", is_error: true }
      ])
      expect(rounds.flatMap(({ calls }) => calls.map(({ reply }) => reply))).toEqual([
        { text: "text of a.md", isError: false },
        { text: "read-only", isError: true }
      ])
    })
  )

  it.effect(
    "say no more than the workflow lets them, and the rest is kept in a file of the owner alone, without secrets",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "spill-"))),
          (folder) => Effect.promise(() => rm(folder, { recursive: true }))
        )
        const spill = join(folder, "spill")
        const text = workflow("", { runtime: "tool_output: {max_chars: 1000}" })
        const { events, rounds } = yield* running(text, calling({ tool: "web__get" })).pipe(
          Effect.provide(ToolSpill.layerFiles(spill, (text) => text.replace("xx", "_")))
        )
        const [name = ""] = yield* Effect.promise(() => readdir(spill))
        const path = join(spill, name)
        expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe(`_${"x".repeat(4998)}`)
        expect((yield* Effect.promise(() => stat(path))).mode & 0o777).toBe(0o600)
        expect((yield* Effect.promise(() => stat(spill))).mode & 0o777).toBe(0o700)
        expect(dataOf(events, "agent_tool_output_truncated")).toEqual({
          agent_name: "a",
          tool_name: "web__get",
          original_chars: 5000,
          kept_chars: 1000,
          spill_path: path
        })
        expect(rounds[0]?.calls[0]?.reply.text).toBe(
          `${"x".repeat(1000)}\n[tool output truncated: 1000 of 5000 characters kept; all of it is in ${path}]`
        )
      }).pipe(Effect.scoped)
  )

  it.effect("leave no file where a run has none, or where the workflow wants none", () =>
    Effect.gen(function* () {
      const cutOf = (settings: string) =>
        Effect.map(
          running(
            workflow("", { runtime: `tool_output: {max_chars: 1000, ${settings}}` }),
            calling({ tool: "web__get" })
          ),
          ({ events }) => dataOf(events, "agent_tool_output_truncated")
        )
      expect(yield* cutOf("")).toMatchObject({ spill_path: null })
      expect(yield* cutOf("enabled: false")).toBeUndefined()
      const nowhere = ToolSpill.layerFiles("/dev/null/never", (text) => text)
      expect(yield* Effect.provide(cutOf("spill_to_file: false"), nowhere)).toMatchObject({ spill_path: null })
      expect(yield* Effect.provide(cutOf(""), nowhere)).toMatchObject({ spill_path: null })
    })
  )

  it.effect("are not called again when the model is asked again", () =>
    Effect.gen(function* () {
      let reads = 0
      const tools = { files: { read: () => `read ${++reads}` }, web: {} }
      const text = workflow("retry: {max_attempts: 2, delay_seconds: 0}, output: {n: {type: number}}")
      const script: AgentScript = {
        a: [
          ScriptedAgents.reply({ error: { message: "busy", status: 503 } }, { calls: [{ tool: "files__read" }] }),
          { n: 1 }
        ]
      }
      const { outcome, rounds } = yield* running(text, script, tools)
      expect(outcome).toEqual({ _tag: "Completed", output: { r: { n: 1 } } })
      expect([reads, rounds.length]).toEqual([1, 1])
    })
  )

  it.effect("that a script calls have to be there", () =>
    Effect.gen(function* () {
      const { outcome } = yield* running(workflow(), calling({ tool: "files__delete" }))
      expect(outcome).toMatchObject({
        errorType: "ProviderError",
        message:
          "the script of step 'a' calls the tool 'files__delete', but the step has: files__read, files__write, web__get"
      })
    })
  )
})
