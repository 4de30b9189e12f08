/** The tools of a server, as its list has them. */
import type { ServerProcess } from "../../e2e/mcp/ServerProcess.ts"

export const toolNames = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
  const { result = { tools: [] } } = await server.request("tools/list")
  return (result["tools"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
}

/** Without the server's own tools. */
export const workflowTools = async (server: ServerProcess): Promise<ReadonlyArray<string>> =>
  (await toolNames(server)).filter((name) => !name.startsWith("conductor_"))
