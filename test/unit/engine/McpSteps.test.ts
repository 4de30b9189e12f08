/** Steps of type `mcp`: what a tool is asked, what becomes of its answer, and when the step fails. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { Float, type ValueMap } from "../../../src/domain/Value.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { ScriptedToolServers, type ScriptedTool } from "../../../src/tools/ScriptedToolServers.ts"
import { ToolServers } from "../../../src/tools/ToolServers.ts"
import { dataOf, engineFor, recorded, start, surroundings, typesOf } from "./RunText.ts"

const workflow = (step: string, rest = "", tools = '["*"]'): string => `
workflow:
  name: w
  entry_point: m
  input: {n: {type: number, default: 3}, l: {type: array, default: [1, 2]}, t: {type: string, default: "7"}}
  runtime: {mcp_servers: {s: {command: x, tools: ${tools}}}}
agents:
  - {name: m, type: mcp, server: s, tool: t, ${step}}
${rest}
output: {r: "{{ m.output | tojson }}"}
`

/** The outcome, and what the tool was given. */
const running = (text: string, tool: ScriptedTool = () => "done") => {
  const asked: Array<ValueMap> = []
  const tools = {
    s: {
      t: (input: ValueMap) => {
        asked.push(input)
        return tool(input)
      }
    }
  }
  return Effect.gen(function* () {
    const outcome = yield* start(text)
    return { outcome, asked, events: yield* recorded }
  }).pipe(Effect.provide(engineFor({ tools })))
}

const outputOf = (text: string, tool: ScriptedTool) =>
  Effect.map(running(text, tool), ({ events }) => dataOf(events, "mcp_completed")?.output)

describe("an mcp step", () => {
  it.effect("renders every text of its arguments, and keeps the type of a lone expression", () =>
    Effect.gen(function* () {
      const { asked } = yield* running(
        workflow(
          `arguments: {
             number: "{{ workflow.input.n + 1 }}", text: "{{ workflow.input.t }}", list: "{{ workflow.input.l }}",
             said: "n is {{ workflow.input.n }}", deep: [{a: "{{ workflow.input.l[1] }}"}], plain: 2.0, none: null
           }`
        )
      )
      expect(asked).toEqual([
        { number: 4, text: "7", list: [1, 2], said: "n is 3", deep: [{ a: 2 }], plain: new Float(2), none: null }
      ])
    })
  )

  it.effect("gives structured content, or JSON in a text, or the text", () =>
    Effect.gen(function* () {
      const text = workflow("arguments: {}")
      expect(yield* outputOf(text, () => ({ a: 1 }))).toEqual({ result: { a: 1 }, content: [], is_error: false })
      expect(yield* outputOf(text, () => "[1, 2.0]")).toMatchObject({ result: [1, new Float(2)] })
      expect(yield* outputOf(text, () => "42")).toEqual({
        result: "42",
        content: [{ type: "text", text: "42" }],
        is_error: false
      })
    })
  )

  it.effect("tells what it calls, and what came of it", () =>
    Effect.gen(function* () {
      const { events } = yield* running(workflow("arguments: {}"))
      expect(typesOf(events)).toEqual([
        "workflow_started",
        "agent_started",
        "mcp_started",
        "mcp_completed",
        "route_taken",
        "workflow_completed"
      ])
      expect(dataOf(events, "mcp_started")).toEqual({ agent_name: "m", iteration: 1, server: "s", tool: "t" })
    })
  )

  it.effect("takes a failure of the tool for a result that routes can look at", () =>
    Effect.gen(function* () {
      const routed = workflow(
        `routes: [{to: rescue, when: "{{ output.is_error }}"}, {to: $end}]`,
        `  - {name: rescue, type: set, value: "{{ m.output.result }}"}`
      )
      const { events, outcome } = yield* running(routed, () => ScriptedToolServers.failure("on fire"))
      expect(outcome._tag).toBe("Completed")
      expect(dataOf(events, "set_completed")?.output).toBe("on fire")
    })
  )

  it.effect("with a declared output is that output, and fails when the tool fails or gives something else", () =>
    Effect.gen(function* () {
      const text = workflow("output: {n: {type: number}}")
      expect(yield* outputOf(text, () => ({ n: 1, more: true }))).toEqual({ n: 1, more: true })
      const failed = yield* running(text, () => ScriptedToolServers.failure("on fire"))
      expect(failed.outcome).toMatchObject({
        errorType: "ExecutionError",
        message: "Step 'm': the tool 't' failed: on fire"
      })
      expect(dataOf(failed.events, "mcp_failed")).toMatchObject({
        server: "s",
        tool: "t",
        error_type: "ExecutionError"
      })
      expect((yield* running(text, () => ({ n: "1" }))).outcome).toMatchObject({ errorType: "ValidationError" })
      expect((yield* running(text, () => "words")).outcome).toMatchObject({
        errorType: "ValidationError",
        message: `Step 'm' declares an output and its tool must give one object, got "words"`
      })
    })
  )

  it.effect("fails when the server, the tool or an argument is not there", () =>
    Effect.gen(function* () {
      const failure = (text: string) => Effect.map(running(text), ({ outcome }) => outcome)
      expect(yield* failure(workflow("arguments: {}", "", "[other]"))).toMatchObject({ errorType: "ExecutionError" })
      expect(yield* failure(workflow("arguments: {}").replace("server: s", "server: sx"))).toMatchObject({
        message: `Step 'm': the MCP server 'sx' is not declared; did you mean "s"?`
      })
      expect(yield* failure(workflow(`arguments: {a: "{{ nobody }}"}`))).toMatchObject({ errorType: "TemplateError" })
    })
  )

  it.effect("has an end in time", () =>
    Effect.gen(function* () {
      const silent = Layer.succeed(ToolServers, { tools: () => Effect.never, call: () => Effect.never })
      const fiber = yield* start(workflow("timeout_seconds: 5")).pipe(
        Effect.provide(Layer.provideMerge(EngineLive, Layer.mergeAll(layerMemory, surroundings(), silent))),
        Effect.fork
      )
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({
        message: "Step 'm': the tool 't' did not answer within 5s; raise timeout_seconds of the step"
      })
    })
  )

  it.effect("is a member of groups", () =>
    Effect.gen(function* () {
      const text = `
workflow: {name: w, entry_point: f, runtime: {mcp_servers: {s: {command: x}}}, input: {l: {type: array, default: [1, 2]}}}
agents: [{name: a, type: mcp, server: s, tool: t, arguments: {n: 3}}, {name: b, type: set, value: b}]
parallel: [{name: p, agents: [a, b]}]
for_each:
  - name: f
    type: for_each
    source: workflow.input.l
    as: it
    agent: {name: x, type: mcp, server: s, tool: t, arguments: {n: "{{ it }}"}, output: {n: {type: number}}}
    routes: [{to: p}]
output: {r: "{{ f.outputs | map(attribute='n') | list | tojson }}", p: "{{ p.outputs.a.result.n }}"}
`
      const { events, outcome } = yield* running(text, ({ n = null }) => ({ n }))
      expect(outcome).toEqual({ _tag: "Completed", output: { r: [1, 2], p: 3 } })
      expect(events.find(({ type }) => type === "mcp_completed")?.data).toMatchObject({
        agent_name: "x",
        group_name: "f",
        item_key: "0",
        index: 0
      })
    })
  )

  it.effect("that was cut off runs again, and one that has an output does not", () =>
    Effect.gen(function* () {
      const text = workflow("arguments: {}")
      const { events } = yield* running(text)
      const again = (log: ReadonlyArray<RunEvent>) =>
        Effect.gen(function* () {
          const outcome = yield* start(text, {}, log)
          return { outcome, types: typesOf(yield* recorded) }
        }).pipe(Effect.provide(engineFor({ tools: { s: { t: () => "again" } } })))
      const begun = events.findIndex(({ type }) => type === "mcp_started") + 1
      const cutOff = yield* again(events.slice(0, begun))
      expect(cutOff.outcome).toMatchObject({ output: { r: { result: "again" } } })
      const done = yield* again(events.slice(0, begun + 1))
      expect(done.types).not.toContain("mcp_started")
      expect(done.outcome).toMatchObject({ output: { r: { result: "done" } } })
    })
  )

  it.effect("in a sub-workflow has the servers of that file beside those above it", () =>
    Effect.gen(function* () {
      const parent = `
workflow: {name: w, entry_point: c, runtime: {mcp_servers: {s: {command: x}}}}
agents: [{name: c, type: workflow, workflow: child}]
output: {r: "{{ c.output.r }}"}
`
      const child = `
workflow: {name: c, entry_point: one, runtime: {mcp_servers: {own: {command: x}}}}
agents:
  - {name: one, type: mcp, server: own, tool: t, routes: [{to: two}]}
  - {name: two, type: mcp, server: s, tool: t}
output: {r: "{{ one.output.result }} {{ two.output.result }}"}
`
      const tools = { s: { t: () => "above" }, own: { t: () => "own" } }
      const outcome = yield* start(parent).pipe(Effect.provide(engineFor({ tools, workflows: { child } })))
      expect(outcome).toEqual({ _tag: "Completed", output: { r: "own above" } })
    })
  )
})
