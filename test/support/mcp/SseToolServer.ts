/** Some tools of `TestTools` over the older transport, which only the older SDK serves. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import { httpToolServer } from "./HttpToolServer.ts"
import { callTestTool, listTestTools } from "./TestTools.ts"

const makeServer = (): Server => {
  const server = new Server({ name: "test-tools", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listTestTools] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: input = {}, name } }) =>
    callTestTool(name, input)
  )
  return server
}

/** Its address. */
export const sseToolServer = Effect.gen(function* () {
  const sessions = new Map<string, SSEServerTransport>()
  const { url } = yield* httpToolServer((request, response) => {
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response)
      sessions.set(transport.sessionId, transport)
      void makeServer().connect(transport)
      return
    }
    const session = new URL(request.url ?? "/", "http://localhost").searchParams.get("sessionId") ?? ""
    void sessions.get(session)?.handlePostMessage(request, response)
  })
  return url
})
