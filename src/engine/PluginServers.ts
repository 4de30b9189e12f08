/**
 * The MCP servers that the plugins of a step bring (workflow language §7.7), ready to be reached. `${CLAUDE_PLUGIN_ROOT}`,
 * which hosts let plugins write for their own folder, means the same here.
 */
import { Effect, Either, Record } from "effect"
import type { McpServer } from "../language/document/McpServers.ts"
import { interpolate, type InterpolationFault } from "../language/Interpolation.ts"
import type { Plan } from "../language/Plan.ts"
import type { AgentNode } from "../language/PlanNode.ts"
import type { PluginFolder } from "../language/plugins/Plugin.ts"
import { stepAssets } from "../language/skills/StepAssets.ts"
import { Environment } from "../platform/Environment.ts"
import { ConfigurationError } from "./EngineErrors.ts"
import { workflowFacts } from "./PlanFacts.ts"

const OWN_FOLDER = "CLAUDE_PLUGIN_ROOT"

const completed = (
  server: McpServer,
  variables: ReadonlyMap<string, string>
): Either.Either<McpServer, InterpolationFault> => {
  const complete = (text: string) => interpolate(text, variables)
  return Either.gen(function* () {
    return {
      ...server,
      ...(server.command === undefined ? {} : { command: yield* complete(server.command) }),
      ...(server.url === undefined ? {} : { url: yield* complete(server.url) }),
      args: yield* Either.all(server.args.map(complete)),
      env: yield* Either.all(Record.map(server.env, complete)),
      headers: yield* Either.all(Record.map(server.headers, complete))
    }
  })
}

const serversOf = (
  { directory, name: plugin, servers }: PluginFolder,
  variables: ReadonlyMap<string, string>
): Either.Either<Readonly<Record<string, McpServer>>, string> => {
  const known = new Map([...variables, [OWN_FOLDER, directory] as const])
  return Either.all(
    Record.map(servers, (server, name) =>
      Either.mapLeft(completed(server, known), ({ message, suggestion }) => {
        const remedy = suggestion === undefined ? "" : `; ${suggestion}`
        return `the MCP server '${name}' of the plugin ${plugin}: ${message}${remedy}`
      })
    )
  )
}

/** By their names; none when the step has no plugins. That names are given once is seen to before the run starts. */
export const pluginServers = Effect.fn("PluginServers.load")(function* (plan: Plan, step: AgentNode) {
  if ((step.plugins ?? plan.runtime.plugins).length === 0) return {}
  const { plugins } = yield* stepAssets(plan.runtime, step, workflowFacts(plan).directory)
  const { variables } = yield* Environment
  const brought = Either.all(plugins.filter(({ entry }) => entry.mcp).map(({ folder }) => serversOf(folder, variables)))
  const servers = yield* Either.mapLeft(
    brought,
    (message) => new ConfigurationError({ message: `Step '${step.name}': ${message}` })
  )
  return servers.reduce((all, some) => ({ ...all, ...some }), {})
})
