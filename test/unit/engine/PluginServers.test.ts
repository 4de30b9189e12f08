/** The MCP servers of plugins: whose tools a step gets, and how its texts are completed. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { ToolServers, type ServerUse } from "../../../src/tools/ToolServers.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"
import { surroundings } from "./RunText.ts"

interface Asked {
  readonly runtime: string
  readonly step?: string
  readonly file?: string
  readonly variables?: Readonly<Record<string, string>>
}

const files = {
  "p/.claude-plugin/plugin.json": '{"name": "p"}',
  "p/skills/s/SKILL.md": "---\nname: s\ndescription: Does s.\n---\nS\n"
}

/** Servers that have one tool each and remember how they were meant. */
const remembering = (used: Array<ServerUse>): Layer.Layer<never> =>
  Layer.succeed(ToolServers, {
    tools: (server) =>
      Effect.sync(() => {
        used.push(server)
        return [{ name: "look", inputSchema: { type: "object" } }]
      }),
    call: () => Effect.succeed({ content: [], isError: false })
  })

const engineWith = (variables: Readonly<Record<string, string>>, used: Array<ServerUse>) =>
  Layer.provideMerge(EngineLive, Layer.mergeAll(layerMemory, surroundings({ variables }), remembering(used)))

const running = ({ file = "{}", runtime, step = "", variables = {} }: Asked) =>
  Effect.gen(function* () {
    const text =
      `workflow: {name: t, entry_point: a, runtime: {provider: openai, ${runtime}}}\n` +
      `agents: [{name: a, prompt: task${step}}]\n`
    const folder = yield* workflowFolder({ ...files, "p/.mcp.json": file, "w.yaml": text })
    const used: Array<ServerUse> = []
    return yield* Effect.gen(function* () {
      const plan = compilePlan(yield* loadWorkflow(join(folder, "w.yaml")))
      const engine = yield* Engine
      const outcome = yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {} })
      const { all } = yield* ScriptedCalls
      const given = (yield* all)[0]?.request.tools?.available.map(({ name }) => name)
      return { outcome, given, used, folder }
    }).pipe(Effect.provide(engineWith({ HOME: join(folder, "home"), ...variables }, used)))
  }).pipe(Effect.scoped)

const web = '{"mcpServers": {"web": {"command": "x"}}}'

describe("the MCP servers of a plugin", () => {
  it.effect("give their tools to a step beside those of the workflow, unless they are switched off", () =>
    Effect.gen(function* () {
      const own = "mcp_servers: {files: {command: y}}"
      const both = yield* running({ runtime: `plugins: [./p], ${own}`, file: web })
      expect(both.given).toEqual(["files__look", "web__look"])
      const off = yield* running({ runtime: `plugins: [{name: ./p, mcp: false}], ${own}`, file: web })
      expect(off.given).toEqual(["files__look"])
      const mine = yield* running({ runtime: "plugins: []", step: ", plugins: [./p]", file: web })
      expect(mine.given).toEqual(["web__look"])
    })
  )

  it.effect("may be written as hosts do, with variables of the environment and of the plugin's folder", () =>
    Effect.gen(function* () {
      const file = JSON.stringify({
        web: { command: "${CLAUDE_PLUGIN_ROOT}/serve", args: ["--as", "${WHO:-nobody}"], env: { KEY: "${KEY}" } },
        far: { url: "http://${HOST}/mcp", headers: { "x-key": "${KEY}" } }
      })
      const variables = { KEY: "k", HOST: "h" }
      const { folder, used } = yield* running({ runtime: "plugins: [./p]", file, variables })
      expect(used.map(({ definition, name }) => ({ ...definition, name }))).toMatchObject([
        { name: "web", type: "stdio", command: `${folder}/p/serve`, args: ["--as", "nobody"], env: { KEY: "k" } },
        { name: "far", type: "http", url: "http://h/mcp", headers: { "x-key": "k" } }
      ])
    })
  )

  it.effect("fail the step that needs a variable which is not set", () =>
    Effect.gen(function* () {
      const file = '{"web": {"command": "x", "env": {"KEY": "${KEY}"}}}'
      expect((yield* running({ runtime: "plugins: [./p]", file })).outcome).toMatchObject({
        _tag: "Failed",
        errorType: "ConfigurationError",
        message: expect.stringContaining("Required environment variable 'KEY' is not set") as string
      })
    })
  )

  it.effect("are refused before the run when they cannot be read, or two have one name", () =>
    Effect.gen(function* () {
      const refused = (file: string, runtime = "plugins: [./p]") =>
        Effect.map(Effect.flip(running({ runtime, file })), ({ message }) => message)
      expect(yield* refused("[]")).toContain("expected a JSON object of MCP servers by their names")
      expect(yield* refused('{"web": {"command": 1}}')).toContain(".mcp.json: web.command: ")
      expect(yield* refused('{"web": {}}')).toContain('a stdio server needs the key "command"')
      const clash = yield* refused(web, "plugins: [./p], mcp_servers: {web: {command: y}}")
      expect(clash).toContain('the MCP server "web" of the plugin p is also that of mcp_servers')
    })
  )
})
