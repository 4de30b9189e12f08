/** A server at an address, by the streamable HTTP transport or by the older one over server-sent events. */
import { Effect } from "effect"
import type { McpServer } from "../language/document/McpServers.ts"
import { limitedBytes } from "../platform/LimitedBytes.ts"
import type { McpSdk, Transport } from "./McpSdk.ts"
import { MAX_MESSAGE_BYTES, tooLargeText, type ServerLink } from "./ServerLink.ts"
import { ToolServerError, type ServerUse } from "./ToolServers.ts"

/** An answer to one of our messages has a limit; the stream on which a server speaks first has none, since it never ends. */
const limitedFetch: typeof globalThis.fetch = async (url, init) => {
  const response = await fetch(url, init)
  const { body, headers, ok, status, statusText } = response
  if (init?.method !== "POST" || !ok || body === null) return response
  const limited = body.pipeThrough(limitedBytes(MAX_MESSAGE_BYTES, () => new Error(tooLargeText)))
  return new Response(limited, { status, statusText, headers })
}

const transportTo = (sdk: McpSdk, url: URL, { headers, type }: McpServer): Transport => {
  const options = { requestInit: { headers }, fetch: limitedFetch }
  return type === "sse" ? new sdk.SSEClientTransport(url, options) : new sdk.StreamableHTTPClientTransport(url, options)
}

/** An address that is refused is not quoted, since it may hold a password. */
export const httpLink = (sdk: McpSdk, { definition, name }: ServerUse): Effect.Effect<ServerLink, ToolServerError> => {
  const { url: text = "" } = definition
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const message = `MCP server '${name}': its url is not an http or https URL; check workflow.runtime.mcp_servers.${name}.url`
    return Effect.fail(new ToolServerError({ server: name, reason: "start", message }))
  }
  return Effect.succeed({
    transport: transportTo(sdk, url, definition),
    ending: Effect.succeed(`the connection to ${url.host} was closed`)
  })
}
