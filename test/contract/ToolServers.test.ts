/** What the engine may expect of `ToolServers`, however a server is reached. */
import { describe, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import type { ValueMap } from "../../src/domain/Value.ts"
import type { McpServer } from "../../src/language/document/McpServers.ts"
import { Environment } from "../../src/platform/Environment.ts"
import { ScriptedToolServers } from "../../src/tools/ScriptedToolServers.ts"
import { ToolServers, type ServerUse } from "../../src/tools/ToolServers.ts"
import * as ToolServersLive from "../../src/tools/ToolServersLive.ts"
import { toolText } from "../../src/tools/ToolText.ts"
import { bundledProgram } from "../support/BundledProgram.ts"
import { httpToolServer } from "../support/mcp/HttpToolServer.ts"
import { sseToolServer } from "../support/mcp/SseToolServer.ts"

const server = (given: Partial<McpServer>): ServerUse => ({
  name: "tools",
  definition: { type: "stdio", args: [], env: {}, headers: {}, tools: ["*"], ...given }
})

const live = ToolServersLive.layer().pipe(Layer.provide(Environment.layerProcess))

const scripted = ScriptedToolServers.layer({
  tools: {
    echo: ({ text = "" }) => String(text),
    add: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
    fail: () => ScriptedToolServers.failure("the disk is on fire")
  }
})

const program = fileURLToPath(new URL("../support/mcp/StdioToolServer.ts", import.meta.url))

const worlds = [
  { name: "of a script", layer: scripted, use: Effect.succeed(server({ command: "x" })) },
  {
    name: "that is a process",
    layer: live,
    use: Effect.map(bundledProgram(program), (script) => server({ command: process.execPath, args: [script] }))
  },
  {
    name: "at an address",
    layer: live,
    use: Effect.map(httpToolServer(), ({ url }) => server({ type: "http", url }))
  },
  {
    name: "at an address, over server-sent events",
    layer: live,
    use: Effect.map(sseToolServer, (url) => server({ type: "sse", url }))
  }
]

describe.each(worlds)("ToolServers, a server $name", ({ layer, use }) => {
  it.scopedLive("has tools, keeps to what the workflow allows, and gives a result of each call", () =>
    Effect.gen(function* () {
      const servers = yield* ToolServers
      const whole = yield* use
      const narrow = { ...whole, definition: { ...whole.definition, tools: ["add", "fail"] } }
      const call = (tool: string, input: ValueMap = {}) => servers.call(narrow, tool, input)

      expect((yield* servers.tools(whole)).map(({ name }) => name)).toEqual(
        expect.arrayContaining(["echo", "add", "fail"])
      )
      expect((yield* servers.tools(narrow)).map(({ name }) => name)).toEqual(["add", "fail"])

      expect(yield* call("add", { a: 2, b: 3 })).toMatchObject({ structured: { sum: 5 }, isError: false })
      expect(toolText(yield* servers.call(whole, "echo", { text: "ä\n" }))).toBe("ä\n")
      const failed = yield* call("fail")
      expect([failed.isError, toolText(failed)]).toEqual([true, "the disk is on fire"])

      const refused = yield* Effect.either(call("echo"))
      expect(Either.getLeft(refused)).toMatchObject({ value: { server: "tools", reason: "no-tool" } })
    }).pipe(Effect.provide(layer))
  )
})
