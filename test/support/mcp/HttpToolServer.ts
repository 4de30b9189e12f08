/** The server of `TestTools` at a local address. */
import { createMcpHandler } from "@modelcontextprotocol/server"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import { makeTestServer } from "./TestTools.ts"
import { listenLocally } from "../LocalServer.ts"

export interface HttpToolServer {
  readonly url: string
  /** Of all requests, oldest first. */
  readonly headers: ReadonlyArray<IncomingHttpHeaders>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const protocol = (): Answer => {
  const handler = createMcpHandler(makeTestServer)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    const body = request.method === "POST" ? { body: new Uint8Array(await bodyOf(request)) } : {}
    const url = `http://localhost${request.url ?? "/"}`
    const answered = await handler.fetch(new Request(url, { method: request.method ?? "GET", headers, ...body }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(Buffer.from(await answered.arrayBuffer()))
  }
  return (request, response) => void answer(request, response)
}

/** Speaks the protocol unless it is told to answer otherwise. */
export const httpToolServer = (answer: Answer = protocol()): Effect.Effect<HttpToolServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const headers: Array<IncomingHttpHeaders> = []
    const server = createServer((request, response) => {
      headers.push(request.headers)
      answer(request, response)
    })
    const origin = yield* listenLocally(server)
    return { url: `${origin}/mcp`, headers }
  })
