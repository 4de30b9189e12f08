/**
 * The port to the MCP servers of a run: a server is reached when it is first used and stays until the run ends. What comes
 * out of a tool is a result, also when the tool says that it failed; that there is no result is the error.
 */
import { Context, Effect, Schema } from "effect"
import type { Json, ValueMap } from "../domain/Value.ts"
import type { McpServer } from "../language/document/McpServers.ts"

/** Which server is meant: two steps that say the same share it. */
export interface ServerUse {
  /** As the workflow calls it. */
  readonly name: string
  readonly definition: McpServer
  /** Absolute; of a stdio server. */
  readonly workingDirectory?: string
}

export const serverUse = (name: string, definition: McpServer, workingDirectory: string | undefined): ServerUse => ({
  name,
  definition,
  ...(workingDirectory === undefined ? {} : { workingDirectory })
})

export interface ServerTool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema of type object. */
  readonly inputSchema: { readonly [keyword: string]: Json }
}

export interface ToolResult {
  /** The blocks as the server sent them: `{type: text, text}`, `{type: image, data, mimeType}` and others. */
  readonly content: ReadonlyArray<ValueMap>
  readonly structured?: ValueMap
  /** The tool says that it failed, and `content` why. */
  readonly isError: boolean
}

/**
 * `start`: it could not be reached · `no-tool`: it has no such tool, or the workflow does not allow it · `timeout` · `ended`:
 * it went away while it was asked · `refused`: it answered with an error of the protocol.
 */
export class ToolServerError extends Schema.TaggedError<ToolServerError>()("ToolServerError", {
  server: Schema.String,
  reason: Schema.Literal("start", "no-tool", "timeout", "ended", "refused"),
  message: Schema.String
}) {}

export interface ToolServersShape {
  /** The tools that the workflow allows, in the order of the server. */
  readonly tools: (server: ServerUse) => Effect.Effect<ReadonlyArray<ServerTool>, ToolServerError>
  readonly call: (server: ServerUse, tool: string, input: ValueMap) => Effect.Effect<ToolResult, ToolServerError>
}

const nowhere = ({ name: server }: ServerUse) =>
  Effect.fail(
    new ToolServerError({
      server,
      reason: "start",
      message: `MCP server '${server}' cannot be reached: this program was given no access to MCP servers`
    })
  )

/** There are none, unless a host provides some. */
export class ToolServers extends Context.Reference<ToolServers>()("conductor/ToolServers", {
  defaultValue: (): ToolServersShape => ({ tools: nowhere, call: nowhere })
}) {}
