import { describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, ManagedRuntime } from "effect"
import { realpath } from "node:fs/promises"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, expect } from "vitest"
import { get, isMap, parseJson, type ValueMap } from "../../../src/domain/Value.ts"
import type { McpServer } from "../../../src/language/document/McpServers.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { findByRun } from "../../../src/platform/ProcessMarker.ts"
import { ToolServers, type ServerUse, type ToolResult } from "../../../src/tools/ToolServers.ts"
import * as ToolServersLive from "../../../src/tools/ToolServersLive.ts"
import { bundledProgram } from "../../support/BundledProgram.ts"
import { httpToolServer } from "../../support/mcp/HttpToolServer.ts"

class StdioServer extends Context.Tag("test/StdioServer")<StdioServer, string>() {
  static readonly layer = Layer.scoped(
    StdioServer,
    bundledProgram(fileURLToPath(new URL("../../support/mcp/StdioToolServer.ts", import.meta.url)))
  )
}

const definition = (given: Partial<McpServer>): McpServer => ({
  type: "stdio",
  args: [],
  env: {},
  headers: {},
  tools: ["*"],
  ...given
})

/** The test server as a process, in one of its modes. */
const stdio = (given: Partial<McpServer> = {}, mode = "normal") =>
  Effect.map(StdioServer, (program): ServerUse => ({
    name: "local",
    definition: definition({ command: process.execPath, args: [program, mode], ...given })
  }))

const http = (url: string, given: Partial<McpServer> = {}): ServerUse => ({
  name: "remote",
  definition: definition({ type: "http", url, ...given })
})

const call = (server: ServerUse, tool: string, input: ValueMap = {}) =>
  Effect.flatMap(ToolServers, (servers) => servers.call(server, tool, input))

const failure = (server: ServerUse, tool: string, input: ValueMap = {}) => Effect.flip(call(server, tool, input))

const textOf = ({ content }: ToolResult): string => String(content[0]?.["text"])

const factsOf = (server: ServerUse) =>
  Effect.map(call(server, "process"), (result) => {
    const facts = parseJson(textOf(result))
    return isMap(facts) ? facts : {}
  })

const servers = (runId?: string) =>
  ToolServersLive.layer(runId === undefined ? {} : { runId }).pipe(
    Layer.provide(Environment.layerOf({ ...process.env, SECRET_OF_THE_RUN: "x" }))
  )

/** Most tests share servers, since each is a process that has to start. */
const shared = ManagedRuntime.make(Layer.merge(StdioServer.layer, servers()))
afterAll(() => shared.dispose())

describe("an MCP server that is a process", () => {
  it.live("has tools with descriptions and schemas, and answers their calls", () =>
    Effect.gen(function* () {
      const server = yield* stdio({ tools: ["add", "echo", "not-there"] })
      const tools = yield* Effect.flatMap(ToolServers, (servers) => servers.tools(server))
      expect(tools.map(({ name }) => name)).toEqual(["echo", "add"])
      expect(tools[0]).toMatchObject({
        description: "Says it again",
        inputSchema: { type: "object", properties: { text: { type: "string" } } }
      })
      expect(yield* call(server, "add", { a: 1, b: 2.5 })).toEqual({
        content: [{ type: "text", text: "the sum is 3.5" }],
        structured: { sum: 3.5 },
        isError: false
      })
    }).pipe(Effect.provide(shared))
  )

  it.live("is one process for all that use it in the same way, also at the same time", () =>
    Effect.gen(function* () {
      const server = yield* stdio({ env: { OWN: "shared" } })
      yield* Effect.all([call(server, "count"), call(server, "count")], { concurrency: 2 })
      expect(textOf(yield* call(server, "count"))).toBe("3")
      const elsewhere = { ...server, workingDirectory: tmpdir() }
      expect(textOf(yield* call(elsewhere, "count"))).toBe("1")
      expect((yield* factsOf(elsewhere))["cwd"]).toBe(yield* Effect.promise(() => realpath(tmpdir())))
    }).pipe(Effect.provide(shared))
  )

  it.live("gets its own variables and what programs need, and none of the secrets of the run", () =>
    Effect.gen(function* () {
      const server = yield* stdio({ env: { TOKEN: "t" } })
      const names = get(yield* factsOf(server), "env")
      expect(names).toEqual(expect.arrayContaining(["PATH", "TOKEN"]))
      expect(names).not.toContain("SECRET_OF_THE_RUN")
    }).pipe(Effect.provide(shared))
  )

  it.live("a tool that fails has a result", () =>
    Effect.gen(function* () {
      const result = yield* call(yield* stdio(), "fail")
      expect(result).toEqual({ content: [{ type: "text", text: "the disk is on fire" }], isError: true })
    }).pipe(Effect.provide(shared))
  )

  it.live("may send five megabytes, and pictures", () =>
    Effect.gen(function* () {
      const server = yield* stdio()
      expect(textOf(yield* call(server, "big", { chars: 5_000_000 }))).toHaveLength(5_000_000)
      expect((yield* call(server, "picture")).content[0]).toEqual({
        type: "image",
        data: "iVBORw0KGgo=",
        mimeType: "image/png"
      })
    }).pipe(Effect.provide(shared))
  )

  it.live("that sends more than anybody could use is let go, and says why", () =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio({ env: { OWN: "large" } }), "big", { chars: 17_000_000 })
      expect(error.message).toBe("MCP server 'local' failed in its tool 'big': it sent more than 16 MiB in one message")
    }).pipe(Effect.provide(shared))
  )

  it.live("that breaks its promise about the result is refused", () =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio(), "wrong")
      expect(error).toMatchObject({ reason: "refused", server: "local" })
      expect(error.message).toContain("output schema")
    }).pipe(Effect.provide(shared))
  )

  it.live("a tool that it does not have, or that the workflow does not allow, is an error with the remedy", () =>
    Effect.gen(function* () {
      const unknown = yield* failure(yield* stdio(), "ecko")
      expect(unknown).toMatchObject({ reason: "no-tool" })
      expect(unknown.message).toBe(`MCP server 'local' has no tool 'ecko'; did you mean "echo"?`)
      const forbidden = yield* failure(yield* stdio({ tools: ["add"] }), "die")
      expect(forbidden.message).toContain("add it to workflow.runtime.mcp_servers.local.tools")
    }).pipe(Effect.provide(shared))
  )

  it.live(
    "that dies while it is asked is an error with its last words, and is started again when it is next used",
    () =>
      Effect.gen(function* () {
        const server = yield* stdio()
        const error = yield* failure(server, "die")
        expect(error.reason).toBe("ended")
        expect(error.message).toBe(
          "MCP server 'local' failed in its tool 'die': it ended with exit code 7; its last words: I am dying"
        )
        expect(textOf(yield* call(server, "count"))).toBe("1")
      }).pipe(Effect.provide(shared))
  )

  it.live("that ends at its start is an error with its last words", () =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio({}, "exit"), "echo")
      expect(error.reason).toBe("start")
      expect(error.message).toContain("it ended with exit code 3; its last words: cannot find my database")
    }).pipe(Effect.provide(shared))
  )

  it.live.each([
    {
      what: "lines",
      script: "for (let i = 0; i < 300; i += 1) console.error(`line ${1000 + i}`)",
      first: /^line \d{4}\nline /
    },
    { what: "words", script: "process.stderr.write('word1234 '.repeat(300))", first: /^word1234 word1234 / },
    { what: "one word", script: "process.stderr.write('x'.repeat(3000))", first: /^$/ }
  ])("that says much is told by its last whole $what", ({ first, script }) =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio({ args: ["-e", script] }), "echo")
      const [, words = ""] = error.message.split("its last words: ")
      expect(words).toMatch(first)
      expect(words.length).toBeLessThanOrEqual(2_000)
    }).pipe(Effect.provide(shared))
  )

  it.live("that is no command is an error at once", () =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio({ command: "no-such-server" }), "echo")
      expect(error.message).toContain("MCP server 'local' could not be started: command not found: no-such-server")
    }).pipe(Effect.provide(shared))
  )

  it.live("that never answers its start is an error after its timeout, and leaves no process", () =>
    Effect.gen(function* () {
      const error = yield* failure(yield* stdio({ timeout: 300 }, "silent"), "echo")
      expect(error).toMatchObject({ reason: "timeout" })
      expect(error.message).toContain("did not answer as an MCP server within 0.3s")
      expect(findByRun("tools-silent")).toEqual([])
    }).pipe(Effect.provide(servers("tools-silent")), Effect.provide(shared))
  )

  it.live("that never answers a call is an error after its timeout, and can be asked again", () =>
    Effect.gen(function* () {
      const server = yield* stdio({ timeout: 1500 })
      expect((yield* failure(server, "hang")).message).toContain("did not answer the call of 'hang' within 1.5s")
      expect(textOf(yield* call(server, "count"))).toBe("1")
    }).pipe(Effect.provide(shared))
  )

  it.live("may print what is no message", () =>
    Effect.gen(function* () {
      expect(textOf(yield* call(yield* stdio({}, "garbage"), "echo", { text: "hi" }))).toBe("hi")
    }).pipe(Effect.provide(shared))
  )

  it.live("ends with the run, even if it ignores that", () =>
    Effect.gen(function* () {
      const server = yield* stdio({}, "stubborn")
      yield* call(server, "count").pipe(Effect.provide(servers("tools-stubborn")))
      expect(findByRun("tools-stubborn")).toEqual([])
    }).pipe(Effect.provide(shared))
  )

  it.live("a call that is interrupted ends at once", () =>
    Effect.gen(function* () {
      const server = yield* stdio({ env: { OWN: "interrupted" } })
      yield* call(server, "count")
      const fiber = yield* Effect.fork(call(server, "hang"))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      expect(textOf(yield* call(server, "count"))).toBe("2")
    }).pipe(Effect.provide(shared))
  )
})

describe("an MCP server at an address", () => {
  it.scopedLive("gets the headers of the workflow, and answers", () =>
    Effect.gen(function* () {
      const { headers, url } = yield* httpToolServer()
      const server = http(url, { headers: { Authorization: "Bearer t" } })
      expect(textOf(yield* call(server, "echo", { text: "hi" }))).toBe("hi")
      expect(headers.length).toBeGreaterThan(2)
      expect(headers.every(({ authorization }) => authorization === "Bearer t")).toBe(true)
    }).pipe(Effect.provide(servers()))
  )

  it.scopedLive("that refuses us says what to check", () =>
    Effect.gen(function* () {
      const { url } = yield* httpToolServer((_request, response) => response.writeHead(401).end("no"))
      const error = yield* failure(http(url), "echo")
      expect(error).toMatchObject({ reason: "start" })
      expect(error.message).toContain("HTTP 401; check workflow.runtime.mcp_servers.remote.headers")
    }).pipe(Effect.provide(servers()))
  )

  it.scopedLive("that is no MCP server, or does not answer, is an error", () =>
    Effect.gen(function* () {
      const page = yield* httpToolServer((_request, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end("<p>hello</p>")
      )
      expect((yield* failure(http(page.url), "echo")).reason).toBe("start")
      const silent = yield* httpToolServer(() => {})
      expect((yield* failure(http(silent.url, { timeout: 200 }), "echo")).reason).toBe("timeout")
    }).pipe(Effect.provide(servers()))
  )

  it.live("that is not there is an error that names the reason", () =>
    Effect.gen(function* () {
      const error = yield* failure(http("http://127.0.0.1:9/mcp"), "echo")
      expect(error.reason).toBe("start")
      expect((yield* failure(http("ftp://user:password@host"), "echo")).message).not.toContain("password")
    }).pipe(Effect.provide(servers()))
  )
})

describe("without access to MCP servers", () => {
  it.effect("every use of one is an error", () =>
    Effect.gen(function* () {
      expect((yield* failure(http("http://127.0.0.1:9/mcp"), "echo")).message).toContain("no access to MCP servers")
    })
  )
})
