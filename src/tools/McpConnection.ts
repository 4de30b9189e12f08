/** One connection to one server: the handshake, its tools, and calls that end in time whatever the server does. */
import { Data, Duration, Effect, Either, type Scope } from "effect"
import { isList, isMap, toJson, type Json, type ValueMap } from "../domain/Value.ts"
import { version } from "../platform/Version.ts"
import { failureText, isDisconnect } from "./FailureText.ts"
import type { CallToolResult, Client, McpSdk, Tool } from "./McpSdk.ts"
import type { ServerLink } from "./ServerLink.ts"
import { ToolServerError, type ServerTool, type ServerUse, type ToolResult } from "./ToolServers.ts"
import { wireValue, type TooDeep } from "./WireValue.ts"

export interface McpConnection {
  /** All of the server. */
  readonly tools: ReadonlyArray<ServerTool>
  readonly call: (tool: string, input: ValueMap) => Effect.Effect<ToolResult, ToolServerError>
  readonly isOpen: Effect.Effect<boolean>
}

/** Unless the workflow gives the server a `timeout`. A first start may have to download the server. */
const START_LIMIT = Duration.seconds(60)
const CALL_LIMIT = Duration.minutes(5)

/** Longer than any limit of ours: the SDK has one of its own for each request. */
const NO_LIMIT = 2 ** 31 - 1

/** Numbers as JSON has them: the SDK and models know no others. */
const jsonMap = (map: ValueMap): { readonly [key: string]: Json } =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, toJson(value)]))

const schemaOf = ({ inputSchema }: Tool): ServerTool["inputSchema"] =>
  Either.match(wireValue(inputSchema), {
    onLeft: () => ({ type: "object" }),
    onRight: (schema) => (isMap(schema) ? jsonMap(schema) : { type: "object" })
  })

const toolOf = (tool: Tool): ServerTool => ({
  name: tool.name,
  ...(tool.description === undefined ? {} : { description: tool.description }),
  inputSchema: schemaOf(tool)
})

const resultOf = ({
  content,
  isError = false,
  structuredContent
}: CallToolResult): Either.Either<ToolResult, TooDeep> =>
  Either.map(wireValue({ content, structured: structuredContent ?? null }), (value) => {
    const { content: blocks = [], structured = null } = isMap(value) ? value : {}
    return {
      content: isList(blocks) ? blocks.filter(isMap) : [],
      ...(isMap(structured) ? { structured } : {}),
      isError
    }
  })

const toolsOf = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<Tool>> => {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const { tools } = await client.listTools(undefined, { signal, timeout: NO_LIMIT })
  return tools
}

/** Whatever the SDK threw. */
class RequestFailure extends Data.TaggedError("RequestFailure")<{ readonly cause: unknown }> {}

/** Closed with the scope. `link` is used up by it. */
export const connect = (
  sdk: McpSdk,
  { definition, name: server }: ServerUse,
  { ending, transport }: ServerLink
): Effect.Effect<McpConnection, ToolServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const limit = definition.timeout === undefined ? undefined : Duration.millis(definition.timeout)
    let isOpen = true
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => new sdk.Client({ name: "conductor", version })),
      (client) => Effect.ignore(Effect.tryPromise(() => client.close()))
    )
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client of the SDK is no event target
    client.onclose = () => {
      isOpen = false
    }

    const failure = (reason: ToolServerError["reason"], text: string) =>
      new ToolServerError({ server, reason, message: `MCP server '${server}' ${text}` })

    const wordsFor = (cause: unknown): Effect.Effect<string> =>
      !isOpen && isDisconnect(sdk, cause) ? ending : Effect.succeed(failureText(sdk, server, cause))

    const inTime = <A>(work: Effect.Effect<A, ToolServerError>, limit: Duration.Duration, what: string) =>
      Effect.timeoutFail(work, {
        duration: limit,
        onTimeout: () =>
          failure(
            "timeout",
            `did not ${what} within ${Duration.toSeconds(limit)}s; raise workflow.runtime.mcp_servers.${server}.timeout (milliseconds) if it needs longer`
          )
      })

    const handshake = Effect.tryPromise({
      try: async (signal) => {
        await client.connect(transport, { signal, timeout: NO_LIMIT })
        return await toolsOf(client, signal)
      },
      catch: (cause) => new RequestFailure({ cause })
    }).pipe(
      Effect.catchAll(({ cause }) =>
        Effect.flatMap(wordsFor(cause), (words) => failure("start", `could not be reached: ${words}`))
      )
    )
    const tools = yield* inTime(handshake, limit ?? START_LIMIT, "answer as an MCP server")

    const call = Effect.fn("McpConnection.call")(function* (tool: string, input: ValueMap) {
      const asked = Effect.tryPromise({
        try: (signal) => client.callTool({ name: tool, arguments: jsonMap(input) }, { signal, timeout: NO_LIMIT }),
        catch: (cause) => new RequestFailure({ cause })
      }).pipe(
        Effect.flatMap(resultOf),
        Effect.catchAll((failed) =>
          Effect.flatMap(wordsFor(failed._tag === "TooDeep" ? failed : failed.cause), (words) =>
            failure(isOpen ? "refused" : "ended", `failed in its tool '${tool}': ${words}`)
          )
        )
      )
      return yield* inTime(asked, limit ?? CALL_LIMIT, `answer the call of '${tool}'`)
    })
    return { tools: tools.map(toolOf), call, isOpen: Effect.sync(() => isOpen) }
  })
