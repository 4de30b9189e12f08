/**
 * MCP servers for tests of workflows: every tool answers from a script and nothing is started. The allow-lists of the
 * workflow hold as they do for real servers.
 */
import { Effect, Layer } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import { allowsTool } from "../language/document/McpServers.ts"
import { ToolServerError, ToolServers, type ServerUse, type ToolResult } from "./ToolServers.ts"

/** A text is the whole answer, and a map a structured one. */
type ScriptedAnswer = string | ValueMap | ToolResult

export type ScriptedTool = (input: ValueMap) => ScriptedAnswer

/** By the name of the server, then of the tool. */
export type ToolScript = Readonly<Record<string, Readonly<Record<string, ScriptedTool>>>>

const isResult = (answer: ValueMap | ToolResult): answer is ToolResult =>
  Array.isArray(answer["content"]) && typeof answer["isError"] === "boolean"

const resultOf = (answer: ScriptedAnswer): ToolResult => {
  if (typeof answer === "string") return { content: [{ type: "text", text: answer }], isError: false }
  return isResult(answer) ? answer : { content: [], structured: answer, isError: false }
}

const unknown = (server: string, message: string) => new ToolServerError({ server, reason: "no-tool", message })

const layer = (script: ToolScript): Layer.Layer<never> => {
  const toolsOf = ({ definition, name }: ServerUse) =>
    Effect.mapError(Effect.fromNullable(script[name]), () =>
      unknown(name, `MCP server '${name}' is not scripted; the script has: ${Object.keys(script).join(", ")}`)
    ).pipe(Effect.map((tools) => new Map(Object.entries(tools).filter(([tool]) => allowsTool(definition, tool)))))
  return Layer.succeed(ToolServers, {
    tools: (server) =>
      Effect.map(toolsOf(server), (tools) =>
        [...tools.keys()].map((name) => ({ name, inputSchema: { type: "object" } }))
      ),
    call: (server, tool, input) =>
      toolsOf(server).pipe(
        Effect.flatMap((tools) =>
          Effect.mapError(Effect.fromNullable(tools.get(tool)), () =>
            unknown(
              server.name,
              `MCP server '${server.name}' has no tool '${tool}'; it has: ${[...tools.keys()].join(", ")}`
            )
          )
        ),
        Effect.map((answer) => resultOf(answer(input)))
      )
  })
}

/** The answer of a tool that says that it failed. */
const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

/** `ScriptedToolServers.layer({ files: { read: ({ path }) => `text of ${path}` } })`. */
export const ScriptedToolServers = { layer, failure }
