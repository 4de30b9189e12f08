/**
 * Calls one tool of an MCP server, without a model. Ours; the reference has no such step. A tool that says that it failed
 * has given a result that routes can look at, like the exit code of a script; without any result the step fails.
 */
import { Duration, Effect, Either, Option } from "effect"
import { isList, isMap, parseJson, type Value, type ValueMap } from "../../domain/Value.ts"
import type { Plan } from "../../language/Plan.ts"
import type { McpNode } from "../../language/PlanNode.ts"
import { didYouMean } from "../../language/Suggestion.ts"
import { inLaunchDirectory, LaunchDirectory } from "../../platform/LaunchDirectory.ts"
import type { TemplateError } from "../../language/template/TemplateError.ts"
import { evaluateTemplate } from "../../language/template/Template.ts"
import { serverUse, ToolServers, type ServerUse, type ToolResult } from "../../tools/ToolServers.ts"
import { toolText } from "../../tools/ToolText.ts"
import { ExecutionError, failureOf, ValidationError, type EngineError } from "../EngineErrors.ts"
import { shapeOf, validateOutput } from "../OutputValidation.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

interface McpSetting {
  readonly plan: Plan
  /** Absolute. */
  readonly workingDirectory: string | undefined
}

type Run = StepRun<McpNode>

/** Texts are templates, and nothing else changes. */
const rendered = (value: Value, context: ValueMap): Either.Either<Value, TemplateError> => {
  if (typeof value === "string") return evaluateTemplate(value, context)
  if (isList(value)) return Either.all(value.map((entry) => rendered(entry, context)))
  return isMap(value) ? renderedMap(value, context) : Either.right(value)
}

const renderedMap = (map: ValueMap, context: ValueMap): Either.Either<ValueMap, TemplateError> =>
  Either.all(Object.fromEntries(Object.entries(map).map(([key, value]) => [key, rendered(value, context)])))

const serverOf = (
  { server: name, name: step }: McpNode,
  { plan }: McpSetting,
  directory: string | undefined
): Either.Either<ServerUse, ExecutionError> => {
  const { mcp_servers: servers } = plan.runtime
  const definition = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (definition !== undefined) return Either.right(serverUse(name, definition, directory))
  const remedy = didYouMean(name, Object.keys(servers)) ?? "declare it under workflow.runtime.mcp_servers"
  return Either.left(
    new ExecutionError({ message: `Step '${step}': the MCP server '${name}' is not declared; ${remedy}` })
  )
}

const withTimeout = <A, E>(work: Effect.Effect<A, E>, { name, timeout_seconds: limit, tool }: McpNode) =>
  limit === undefined
    ? work
    : Effect.timeoutFail(work, {
        duration: Duration.seconds(limit),
        onTimeout: () =>
          new ExecutionError({
            message: `Step '${name}': the tool '${tool}' did not answer within ${limit}s; raise timeout_seconds of the step`
          })
      })

const call = (run: Run, setting: McpSetting) =>
  Effect.gen(function* () {
    const { context, step } = run
    const directory = inLaunchDirectory(yield* LaunchDirectory, setting.workingDirectory)
    const server = yield* serverOf(step, setting, directory)
    const input = yield* renderedMap(step.arguments, context)
    const servers = yield* ToolServers
    const asked = Effect.mapError(
      servers.call(server, step.tool, input),
      ({ message }) => new ExecutionError({ message: `Step '${step.name}': ${message}` })
    )
    return yield* withTimeout(asked, step)
  })

const readJson = Option.liftThrowable(parseJson)

/** A text that is a JSON object or list is read as such; numbers and words stay text. */
const resultIn = (result: ToolResult): Value => {
  if (result.structured !== undefined) return result.structured
  const text = toolText(result)
  if (result.isError) return text
  return Option.getOrElse(
    Option.filter(readJson(text), (value) => isList(value) || isMap(value)),
    () => text
  )
}

const outputOf = ({ step }: Run, result: ToolResult): Either.Either<ValueMap, EngineError> => {
  const value = resultIn(result)
  const { name, output, tool } = step
  if (output === undefined) return Either.right({ result: value, content: result.content, is_error: result.isError })
  if (result.isError) {
    return Either.left(
      new ExecutionError({ message: `Step '${name}': the tool '${tool}' failed: ${toolText(result)}` })
    )
  }
  if (isMap(value)) return validateOutput(name, output, value)
  const message = `Step '${name}' declares an output and its tool must give one object, got ${shapeOf(value)}`
  return Either.left(new ValidationError({ message }))
}

/** Gives the output, too, for a group that stores it under its own name. */
export const runMcpStep = (run: Run, setting: McpSetting): StepEffect<never, Value> =>
  Effect.gen(function* () {
    const { execution, journal, step } = run
    const told = { agent_name: step.name, server: step.server, tool: step.tool }
    const elapsed = yield* stopwatch
    const fail = (error: EngineError) =>
      Effect.flatMap(elapsed, (elapsed) => journal.append("mcp_failed", { ...told, elapsed, ...failureOf(error) }))
    yield* journal.append("mcp_started", { ...told, iteration: execution })
    const result = yield* Effect.tapError(call(run, setting), fail)
    const output = yield* Effect.tapError(outputOf(run, result), fail)
    yield* journal.append("mcp_completed", { ...told, elapsed: yield* elapsed, is_error: result.isError, output })
    return output
  })
