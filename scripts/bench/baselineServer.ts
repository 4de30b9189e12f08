// The yardstick for start-up: the SDK's own stdio server with one tool, bundled, split and cached exactly like
// the program.
import { Server } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { flushCodeCache } from "../../src/platform/CodeCache.ts"

serveStdio(() => {
  const server = new Server({ name: "baseline", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => {
    setTimeout(flushCodeCache, 50)
    return { tools: [{ name: "one", description: "One tool", inputSchema: { type: "object", properties: {} } }] }
  })
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "one" }] }))
  return server
})
