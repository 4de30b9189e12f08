/** A `type: mcp` step names a server of the workflow, and a tool that the workflow may use of it. */
import { allowsTool } from "../document/McpServers.ts"
import { didYouMean } from "../Suggestion.ts"
import { error, type Finding } from "./Diagnostic.ts"
import type { PlacedStep, Scope } from "./Scope.ts"

const mcpSteps = ({ placedSteps }: Scope): ReadonlyArray<PlacedStep> =>
  placedSteps.filter(({ step }) => step.type === "mcp")

export const mcpServers = (scope: Scope): ReadonlyArray<Finding> => {
  const known = Object.keys(scope.document.workflow.runtime.mcp_servers)
  return mcpSteps(scope).flatMap(({ place, step: { server = "" } }) =>
    known.includes(server)
      ? []
      : [
          error(
            [...place, "server"],
            `the MCP server "${server}" is not declared`,
            didYouMean(server, known) ?? "declare it under workflow.runtime.mcp_servers"
          )
        ]
  )
}

export const mcpTools = (scope: Scope): ReadonlyArray<Finding> => {
  const servers = new Map(Object.entries(scope.document.workflow.runtime.mcp_servers))
  return mcpSteps(scope).flatMap(({ place, step: { server = "", tool = "" } }) => {
    const tools = servers.get(server)?.tools
    return tools === undefined || allowsTool({ tools }, tool)
      ? []
      : [
          error(
            [...place, "tool"],
            `the tool "${tool}" is not among those that the workflow may use of the MCP server "${server}"`,
            didYouMean(tool, tools) ?? `add it to workflow.runtime.mcp_servers.${server}.tools`
          )
        ]
  })
}
