/** `runtime.mcp_servers.<name>`: the MCP servers whose tools LLM steps may use (workflow language §7.4). */
import { Schema } from "effect"
import { dictionary, open, optional, withDefault } from "./Keyed.ts"
import { integer, Text, Texts } from "./Scalars.ts"

export const McpServer = open({
  type: withDefault(Schema.Literal("stdio", "http", "sse"), "stdio"),
  command: optional(Text),
  args: withDefault(Texts, []),
  env: withDefault(dictionary(Text), {}),
  url: optional(Text),
  headers: withDefault(dictionary(Text), {}),
  /** Milliseconds. */
  timeout: optional(integer()),
  tools: withDefault(Texts, ["*"])
}).pipe(
  Schema.filter(({ command, type, url }) => {
    if (type === "stdio") return command ? undefined : 'a stdio server needs the key "command"'
    return url ? undefined : `a server of type ${type} needs the key "url"`
  })
)
export type McpServer = typeof McpServer.Type

const ALL_TOOLS = "*"

/** Whether the workflow lets its steps use a tool of the server. */
export const allowsTool = ({ tools }: Pick<McpServer, "tools">, tool: string): boolean =>
  tools.includes(ALL_TOOLS) || tools.includes(tool)
