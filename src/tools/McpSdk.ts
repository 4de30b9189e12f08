/** The client of the Model Context Protocol, loaded only when a step uses a server. The only importer of its SDK. */
import { Effect } from "effect"
import { ToolServerError } from "./ToolServers.ts"

export type { CallToolResult, Client, Tool, Transport } from "@modelcontextprotocol/client"

const load = async () => {
  const sdk = await import("@modelcontextprotocol/client")
  const { Client, deserializeMessage, SdkError, SdkHttpError, serializeMessage } = sdk
  const { SSEClientTransport, StreamableHTTPClientTransport, UnauthorizedError } = sdk
  return {
    Client,
    deserializeMessage,
    SdkError,
    SdkHttpError,
    serializeMessage,
    SSEClientTransport,
    StreamableHTTPClientTransport,
    UnauthorizedError
  }
}

export type McpSdk = Awaited<ReturnType<typeof load>>

/** `server`: for whom it is loaded. */
export const loadMcpSdk = (server: string): Effect.Effect<McpSdk, ToolServerError> =>
  Effect.tryPromise({
    try: load,
    catch: (cause) =>
      new ToolServerError({
        server,
        reason: "start",
        message: `the MCP SDK cannot be loaded, install conductor again: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
