/**
 * The tools that an LLM step may use (workflow language §7.3, §7.4): those of its MCP servers, as far as the workflow and
 * the step allow. Each call is told in the log; what goes wrong with it is told to the model.
 */
import { Effect, Either, Ref } from "effect"
import type { AgentTool, AgentTools, ToolReply, ToolRound } from "../agents/AgentTools.ts"
import { stringifyJson, type ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { AgentNode } from "../language/PlanNode.ts"
import { didYouMean } from "../language/Suggestion.ts"
import { inLaunchDirectory, LaunchDirectory } from "../platform/LaunchDirectory.ts"
import { keepOutput } from "../tools/ToolOutput.ts"
import { serverUse, ToolServers, type ServerTool, type ServerUse } from "../tools/ToolServers.ts"
import { toolText } from "../tools/ToolText.ts"
import { ExecutionError, ValidationError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"
import { pluginServers } from "./PluginServers.ts"
import { workflowPath } from "./WorkflowPath.ts"

interface ToolSetting {
  readonly step: AgentNode
  readonly plan: Plan
  readonly journal: Journal
  /** Absolute. */
  readonly workingDirectory: string | undefined
}

const DEFAULT_ROUNDS = 50
const MAX_SHOWN = 500

const excerpt = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`

/** Undefined: all. */
const allowedTools = (
  { name, tools }: AgentNode,
  plan: Plan
): Either.Either<ReadonlyArray<string> | undefined, ValidationError> => {
  if (tools === undefined) return Either.right(plan.tools.length === 0 ? undefined : plan.tools)
  const unknown = tools.find((tool) => !plan.tools.includes(tool))
  if (unknown === undefined) return Either.right(tools)
  const remedy = didYouMean(unknown, plan.tools) ?? "add it to tools at the root of the file"
  const message = `Step '${name}': the tool '${unknown}' is not in the workflow's list of tools; ${remedy}`
  return Either.left(new ValidationError({ message }))
}

const prefixOf = (server: string): string => `${server}__`

/** Those of the workflow and those of the step's plugins. */
const serversOf = Effect.fnUntraced(function* ({ plan, step, workingDirectory }: ToolSetting) {
  const definitions = { ...plan.runtime.mcp_servers, ...(yield* pluginServers(plan, step)) }
  const directory = inLaunchDirectory(yield* LaunchDirectory, workingDirectory)
  return Object.entries(definitions).map(([name, definition]) => serverUse(name, definition, directory))
})

const callTool = Effect.fn("StepTools.call")(function* (
  { journal, plan, step }: ToolSetting,
  server: ServerUse,
  tool: string,
  input: ValueMap
): Effect.fn.Return<ToolReply, EventSinkError> {
  const servers = yield* ToolServers
  const { tool_output: settings } = plan.runtime
  const told = { agent_name: step.name, tool_name: `${prefixOf(server.name)}${tool}` }
  yield* journal.append("agent_tool_start", { ...told, arguments: excerpt(stringifyJson(input)) })
  const reply = yield* servers.call(server, tool, input).pipe(
    Effect.map((result): ToolReply => ({ text: toolText(result), isError: result.isError })),
    Effect.catchAll(({ message }) => Effect.succeed<ToolReply>({ text: message, isError: true }))
  )
  const directory = settings?.spill_dir?.trim()
  const { cut, text } = yield* keepOutput(
    told.tool_name,
    reply.text,
    settings,
    directory ? workflowPath(plan, directory) : undefined
  )
  if (cut !== undefined) {
    yield* journal.append("agent_tool_output_truncated", {
      ...told,
      original_chars: cut.originalChars,
      kept_chars: cut.keptChars,
      spill_path: cut.spillPath
    })
  }
  yield* journal.append("agent_tool_complete", { ...told, result: excerpt(text), is_error: reply.isError })
  return { ...reply, text }
})

const agentTool = (setting: ToolSetting, server: ServerUse, tool: ServerTool): AgentTool<EventSinkError> => ({
  ...tool,
  name: `${prefixOf(server.name)}${tool.name}`,
  execute: (input) => callTool(setting, server, tool.name, input)
})

/** Undefined when the step may use none. A server is reached when the step may use a tool of it, and has to be there. */
export const stepTools = Effect.fn("StepTools.make")(function* (setting: ToolSetting) {
  const { plan, step } = setting
  const allowed = yield* allowedTools(step, plan)
  const isAllowed = (name: string): boolean => allowed === undefined || allowed.includes(name)
  const servers = (yield* serversOf(setting)).filter(
    ({ name }) => allowed === undefined || allowed.some((tool) => tool.startsWith(prefixOf(name)))
  )
  if (allowed === undefined ? servers.length === 0 : allowed.length === 0) return undefined
  const { tools } = yield* ToolServers
  const available = yield* Effect.forEach(
    servers,
    (server) => Effect.map(tools(server), (tools) => tools.map((tool) => agentTool(setting, server, tool))),
    { concurrency: "unbounded" }
  ).pipe(Effect.mapError(({ message }) => new ExecutionError({ message: `Step '${step.name}': ${message}` })))
  return {
    ...(allowed === undefined ? {} : { allowed }),
    available: available.flat().filter(({ name }) => isAllowed(name)),
    maxRounds: step.max_agent_iterations ?? plan.runtime.max_agent_iterations ?? DEFAULT_ROUNDS,
    rounds: yield* Ref.make<ReadonlyArray<ToolRound>>([])
  } satisfies AgentTools<EventSinkError>
})
