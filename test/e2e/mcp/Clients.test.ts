/** Real clients of both protocol eras against the built server. Each of them checks results against the output schemas. */
import { Client as ModernClient } from "@modelcontextprotocol/client"
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place, program } from "./ServerProcess.ts"

type Facts = Readonly<Record<string, unknown>>

/** What these tests need of a client, whatever its SDK. */
interface AnyClient {
  readonly era: string
  readonly tools: () => Promise<ReadonlyArray<Facts>>
  readonly call: (name: string, given: Facts, progress?: (news: Facts) => void) => Promise<Facts>
  readonly close: () => Promise<void>
}

const parameters = (place: Place) => ({
  command: process.execPath,
  args: [program, "mcp", "serve", "--workflow-dir", place.folder],
  env: place.environment,
  stderr: "ignore" as const
})

const modernClient =
  (mode: "legacy" | "auto") =>
  async (place: Place): Promise<AnyClient> => {
    const client = new ModernClient({ name: "modern", version: "2" }, { versionNegotiation: { mode } })
    await client.connect(new ModernTransport(parameters(place)))
    return {
      era: client.getNegotiatedProtocolVersion() ?? "",
      tools: async () => (await client.listTools()).tools,
      call: (name, given, progress) =>
        client.callTool(
          { name, arguments: given },
          progress === undefined ? {} : { onprogress: (news) => progress({ ...news }) }
        ),
      close: () => client.close()
    }
  }

const legacyClient = async (place: Place): Promise<AnyClient> => {
  const client = new LegacyClient({ name: "legacy", version: "1" })
  await client.connect(new LegacyTransport(parameters(place)))
  return {
    era: "2025",
    tools: async () => (await client.listTools()).tools,
    call: async (name, given, progress) =>
      client.callTool(
        { name, arguments: given },
        undefined,
        progress === undefined ? {} : { onprogress: (news) => progress({ ...news }) }
      ),
    close: () => client.close()
  }
}

const clients: Readonly<Record<string, readonly [era: RegExp, open: (place: Place) => Promise<AnyClient>]>> = {
  "SDK 2, protocol of 2026": [/^2026-07-28$/, modernClient("auto")],
  "SDK 2, protocol of 2025": [/^2025-/, modernClient("legacy")],
  "SDK 1": [/^2025/, legacyClient]
}

for (const [name, [era, open]] of Object.entries(clients)) {
  describe(name, () => {
    let place: Place
    let client: AnyClient
    const structured = async (tool: string, given: Facts, progress?: (news: Facts) => void) =>
      (await client.call(tool, given, progress))["structuredContent"] as Facts

    beforeAll(async () => {
      place = makePlace()
      client = await open(place)
      await client.tools()
    })
    afterAll(async () => {
      await client.close()
      await place.remove()
    })

    it("speaks the protocol it is meant to", () => {
      expect(client.era).toMatch(era)
    })

    it("sees each workflow as a tool, with hints", async () => {
      const tools = await client.tools()
      expect(tools.find((tool) => tool["name"] === "add")).toMatchObject({
        description: expect.stringContaining("Adds two numbers."),
        annotations: { readOnlyHint: true }
      })
    })

    it("has the result of a synchronous workflow", async () => {
      expect(await structured("add", { left: 2, right: 40 })).toMatchObject({
        status: "completed",
        output: { sum: 42 }
      })
    })

    it("starts, follows with progress, and has the result", async () => {
      const { run_id } = await structured("nap", { seconds: 2.5 })
      const news: Array<number> = []
      const result = await structured("conductor_await_run", { run_id }, ({ progress }) => news.push(Number(progress)))
      expect(result).toMatchObject({ run_id, status: "completed" })
      expect(news.length).toBeGreaterThanOrEqual(1)
      expect(news).toEqual([...new Set(news)].sort((a, b) => a - b))
    })

    it("has a failed run as an answer, with the reason", async () => {
      const result = await client.call("refuse", {})
      expect(result["isError"] ?? false).toBe(false)
      expect(result["structuredContent"]).toMatchObject({
        status: "failed",
        error: { message: expect.stringContaining("not today") }
      })
    })

    it("has wrong arguments as an error that the model can mend", async () => {
      const result = await client.call("add", { lift: 2 })
      expect(result["isError"]).toBe(true)
      expect(result["structuredContent"]).toMatchObject({ error: { message: expect.stringContaining("lift") } })
    })

    it("cancels, lists, and looks at runs", async () => {
      const { run_id } = await structured("nap", { seconds: 60 })
      expect(await structured("conductor_cancel_run", { run_id })).toMatchObject({ status: "cancelled" })
      expect(await structured("conductor_run_status", { run_id })).toMatchObject({ status: "cancelled" })
      const { runs } = await structured("conductor_list_runs", { status: "cancelled" })
      expect(runs).toMatchObject([{ run_id, tool: "nap" }])
    })

    it("has an error of the protocol for a tool that does not exist", async () => {
      await expect(client.call("ad", {})).rejects.toThrow(/Unknown tool 'ad': did you mean 'add'\?/)
    })
  })
}
