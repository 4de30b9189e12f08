/**
 * Speaks the Model Context Protocol over stdio, in both of its eras, for a `ToolSurface`. The only importer of the SDK.
 * It must not import Effect: it is loaded by every start (mcp hosts §2).
 */
import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import type { CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { Readable, Writable } from "node:stream"
import { nearest } from "../domain/NearMatch.ts"
import { version } from "../platform/Version.ts"
import type { Client, JsonObject, ReportProgress, ToolDefinition, ToolResult, ToolSurface } from "./ToolSurface.ts"

/** Without a hint one host lists the tools again before every turn of the model (mcp hosts §2). */
const listLifetimeMilliseconds = 300_000

const isClient = (value: unknown): value is Client =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"

/** The 2025 protocol names the client once per connection, the 2026 protocol with each request. */
const clientOf = (server: Server, context: ServerContext): Client | undefined => {
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {}
  const client = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
  return isClient(client) ? client : undefined
}

/** Echoes the caller's own token (0 and "" are tokens too); without one there is nobody to report to. */
const progressOf = (context: ServerContext): ReportProgress | undefined => {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress, total, message) => {
    if (context.mcpReq.signal.aborted) return
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) }
    // A notification that cannot be written is no loss: the stream's own error handler ends the server.
    context.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {})
  }
}

const toTool = ({ inputSchema, outputSchema, annotations, ...names }: ToolDefinition): Tool => ({
  ...names,
  // Ours are closed root objects, which the catalogue and the golden files check; the SDK only knows open records.
  inputSchema: inputSchema as Tool["inputSchema"],
  outputSchema: outputSchema as NonNullable<Tool["outputSchema"]>,
  annotations: { ...annotations }
})

const toResult = ({ text, structuredContent, isError }: ToolResult): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { ...structuredContent },
  isError
})

const longestName = 100

const unknownTool = (asked: string, tools: ReadonlyArray<ToolDefinition>): ProtocolError => {
  // A lone surrogate in an answer makes some hosts drop it, and then wait for it (mcp hosts §4.1).
  const name = asked.slice(0, longestName).toWellFormed()
  const near = nearest(
    name,
    tools.map((tool) => tool.name)
  )
  const hint = near === undefined ? "tools/list names the tools there are" : `did you mean '${near}'?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}': ${hint}`)
}

const makeServer = (surface: ToolSurface): Server => {
  const server = new Server(
    { name: "conductor", title: "Conductor", version },
    {
      capabilities: { tools: {} },
      instructions: surface.instructions,
      cacheHints: { "tools/list": { ttlMs: listLifetimeMilliseconds, cacheScope: "private" } }
    }
  )
  server.oninitialized = surface.connected
  server.setRequestHandler("tools/list", async () => {
    const tools = await surface.tools()
    surface.connected()
    return { tools: tools.map(toTool) }
  })
  server.setRequestHandler("tools/call", async (request, context) => {
    const tools = await surface.tools()
    const { name } = request.params
    if (!tools.some((tool) => tool.name === name)) throw unknownTool(name, tools)
    const progress = progressOf(context)
    const client = clientOf(server, context)
    return toResult(
      await surface.call({
        name,
        arguments: (request.params.arguments ?? {}) as JsonObject,
        signal: context.mcpReq.signal,
        ...(progress === undefined ? {} : { progress }),
        ...(client === undefined ? {} : { client })
      })
    )
  })
  return server
}

export interface ProtocolStreams {
  readonly input: Readable
  readonly output: Writable
}

/** Serves until the input ends. `onError` hears what the protocol has no place for: bad lines, failed writes. */
export const serveProtocol = (
  surface: ToolSurface,
  { input, output }: ProtocolStreams,
  onError: (error: Error) => void
): void => {
  serveStdio(() => makeServer(surface), { transport: new StdioServerTransport(input, output), onerror: onError })
}
