import { describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Ref } from "effect"
import { expect } from "vitest"
import { AgentProviders, type AgentRequest } from "../../../src/agents/AgentProvider.ts"
import type { AgentTool, AgentTools, ToolRound } from "../../../src/agents/AgentTools.ts"
import { agentProvidersLayer, type ProviderSettings } from "../../../src/agents/AgentProvidersLive.ts"
import { Float, get, type Json, type ValueMap } from "../../../src/domain/Value.ts"
import type { OutputFields } from "../../../src/language/document/OutputField.ts"
import {
  completion,
  disconnectAtOnce,
  disconnectInBody,
  endless,
  failure,
  openAiWireServer,
  raw,
  silence,
  toolCalls,
  withoutChoices,
  type WireReply
} from "../../support/OpenAiWireServer.ts"

const KEY = "key-that-nobody-may-read"

const SCORE: OutputFields = { score: { type: "number", required: true, nullable: false } }

const REQUEST: AgentRequest = { step: "review", prompt: "Say hello", turns: [] }

const execute = (
  url: string,
  request: Partial<AgentRequest> = {},
  settings: ProviderSettings & { readonly key?: string } = {}
) =>
  Effect.gen(function* () {
    const provider = yield* Effect.flatMap(AgentProviders, (providers) => providers.get("openai"))
    return yield* provider.execute({ ...REQUEST, ...request })
  }).pipe(Effect.provide(agentProvidersLayer(settings, { OPENAI_BASE_URL: url, OPENAI_API_KEY: settings.key ?? KEY })))

/** The provider itself, which lives on after a call: closing it would end its requests anyhow. */
const lastingProvider = (url: string, settings: ProviderSettings = {}) =>
  Effect.map(Layer.build(agentProvidersLayer(settings, { OPENAI_BASE_URL: url })), (context) =>
    Context.get(context, AgentProviders)
  ).pipe(Effect.flatMap((providers) => providers.get("openai")))

/** The error after these replies, the request and the settings being whatever a step could say. */
const failureAfter = (replies: ReadonlyArray<WireReply>, request: Partial<AgentRequest> = {}) =>
  Effect.gen(function* () {
    const server = yield* openAiWireServer(replies)
    const error = yield* Effect.flip(execute(server.url, request))
    expect(JSON.stringify(error) + error.message).not.toContain(KEY)
    return { error, server }
  })

describe("provider openai, when all is well", () => {
  it.scopedLive("sends the conversation and gives text, model and usage with cached tokens", () =>
    Effect.gen(function* () {
      const usage = { prompt_tokens: 120, completion_tokens: 7, cached_tokens: 100 }
      const server = yield* openAiWireServer([completion("hello", { usage })])
      const response = yield* execute(server.url, {
        systemPrompt: "Be brief",
        model: "some-model",
        temperature: 0.25,
        maxTokens: 99,
        reasoningEffort: "low",
        history: [{ prompt: "Say hi", reply: "hi" }],
        turns: [{ reply: "hullo", correction: "Spell it" }]
      })
      expect(response).toEqual({
        content: { _tag: "Text", text: "hello" },
        model: "wire-model-2026",
        usage: { inputTokens: 120, outputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 0 }
      })
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]?.path).toBe("/v1/chat/completions")
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
      expect(server.requests[0]?.body).toEqual({
        model: "some-model",
        temperature: 0.25,
        max_tokens: 99,
        reasoning_effort: "low",
        messages: [
          { role: "system", content: "Be brief" },
          { role: "user", content: "Say hi" },
          { role: "assistant", content: "hi" },
          { role: "user", content: "Say hello" },
          { role: "assistant", content: "hullo" },
          { role: "user", content: "Spell it" }
        ]
      })
    })
  )

  it.scopedLive("asks gpt-5-mini when the step names no model", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([completion("hello")])
      yield* execute(server.url)
      expect(server.requests[0]?.body["model"]).toBe("gpt-5-mini")
    })
  )

  it.scopedLive("asks for declared output by its JSON Schema, and keeps the kinds of numbers", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([completion('{"score": 3.0}')])
      const response = yield* execute(server.url, { output: SCORE })
      expect(response.content).toEqual({ _tag: "Structured", value: { score: new Float(3) } })
      expect(server.requests[0]?.body["response_format"]).toEqual({
        type: "json_schema",
        json_schema: {
          name: "output",
          strict: true,
          schema: {
            type: "object",
            properties: { score: { type: "number" } },
            required: ["score"],
            additionalProperties: false
          }
        }
      })
    })
  )

  it.scopedLive("asks in words where a JSON Schema is refused, and remembers that", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([
        failure(400, "response_format json_schema is not supported"),
        completion('{"score": 1}'),
        completion('{"score": 2}')
      ])
      const provider = yield* lastingProvider(server.url)
      const rate = provider.execute({ ...REQUEST, output: SCORE })
      const values = [yield* rate, yield* rate]
      expect(values.map(({ content }) => content)).toEqual([
        { _tag: "Structured", value: { score: 1 } },
        { _tag: "Structured", value: { score: 2 } }
      ])
      const [first, second, third] = server.requests.map(({ body }) => body)
      expect(first).toHaveProperty("response_format")
      expect(second).not.toHaveProperty("response_format")
      expect(JSON.stringify(second?.["messages"])).toContain("JSON Schema")
      expect(third).not.toHaveProperty("response_format")
    })
  )

  it.scopedLive("gives a reply that is no JSON object as text, for the engine to correct", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([completion("The score is 3")])
      const response = yield* execute(server.url, { output: SCORE })
      expect(response.content).toEqual({ _tag: "Text", text: "The score is 3" })
    })
  )

  it.scopedLive("switches off the warnings that the SDK would print on stdout", () =>
    Effect.gen(function* () {
      globalThis.AI_SDK_LOG_WARNINGS = undefined
      const server = yield* openAiWireServer([completion("hello")])
      yield* execute(server.url)
      expect(globalThis.AI_SDK_LOG_WARNINGS).toBe(false)
    })
  )
})

const tool = (
  name: string,
  execute: AgentTool["execute"] = () => Effect.succeed({ text: "done", isError: false })
) => ({
  name,
  description: `What ${name} does`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  execute
})

const toolsOf = (available: ReadonlyArray<AgentTool>, maxRounds = 10) =>
  Effect.map(Ref.make<ReadonlyArray<ToolRound>>([]), (rounds): AgentTools => ({ available, maxRounds, rounds }))

const messagesOf = (body: { readonly [key: string]: Json } | undefined): ReadonlyArray<Json> => {
  const messages = body?.["messages"]
  return Array.isArray(messages) ? messages : []
}

const read = { name: "files__read", arguments: '{"path": "a.md"}' }

describe("provider openai, with tools", () => {
  it.scopedLive("describes them, and tells the model what they answered", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([
        toolCalls([read, { name: "files__write", arguments: "{}" }], {
          text: "Let me look",
          usage: { prompt_tokens: 10, completion_tokens: 1 }
        }),
        completion("hello", { usage: { prompt_tokens: 20, completion_tokens: 2 } })
      ])
      const tools = yield* toolsOf([
        tool("files__read", ({ path = null }) => Effect.succeed({ text: `text of ${String(path)}`, isError: false })),
        tool("files__write", () => Effect.succeed({ text: "read-only", isError: true }))
      ])
      const response = yield* execute(server.url, { tools })
      expect(response.usage).toMatchObject({ inputTokens: 30, outputTokens: 3 })
      expect(server.requests[0]?.body["tools"]).toMatchObject([
        {
          type: "function",
          function: {
            name: "files__read",
            description: "What files__read does",
            parameters: { type: "object", properties: { path: { type: "string" } } }
          }
        },
        { type: "function", function: { name: "files__write" } }
      ])
      expect(messagesOf(server.requests[1]?.body).slice(1)).toMatchObject([
        {
          role: "assistant",
          content: "Let me look",
          tool_calls: [
            { id: "call-1", function: { name: "files__read", arguments: '{"path":"a.md"}' } },
            { id: "call-2", function: { name: "files__write", arguments: "{}" } }
          ]
        },
        { role: "tool", tool_call_id: "call-1", content: "text of a.md" },
        { role: "tool", tool_call_id: "call-2", content: "read-only" }
      ])
    })
  )

  it.scopedLive("tells the model of a tool that is not there, and of arguments that are no object", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([
        toolCalls([
          { name: "files__reed", arguments: "{}" },
          { name: "files__read", arguments: "{" },
          { name: "files__read", arguments: "[1]" }
        ]),
        completion("sorry")
      ])
      const tools = yield* toolsOf([tool("files__read")])
      expect((yield* execute(server.url, { tools })).content).toEqual({ _tag: "Text", text: "sorry" })
      const told = messagesOf(server.requests[1]?.body).slice(2)
      const noObject = "The arguments of 'files__read' are not a JSON object. Call it again with one."
      expect(told).toMatchObject([
        { role: "tool", content: "There is no tool 'files__reed'; did you mean 'files__read'?" },
        { role: "tool", content: noObject },
        { role: "tool", content: noObject }
      ])
    })
  )

  it.scopedLive("gives tools names that the API takes, and knows them again", () =>
    Effect.gen(function* () {
      const long = `files__${"x".repeat(80)}`
      const server = yield* openAiWireServer([
        toolCalls([{ name: "files__a_b_2", arguments: "{}" }]),
        completion("done")
      ])
      const tools = yield* toolsOf([tool("files__a/b"), tool("files__a.b"), tool(long)])
      yield* execute(server.url, { tools })
      expect(server.requests[0]?.body["tools"]).toMatchObject([
        { function: { name: "files__a_b" } },
        { function: { name: "files__a_b_2" } },
        { function: { name: long.slice(0, 64) } }
      ])
      expect(yield* Ref.get(tools.rounds)).toMatchObject([{ calls: [{ tool: "files__a.b" }] }])
    })
  )

  it.scopedLive("goes on behind the calls that were done when it is asked again", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([
        toolCalls([read]),
        failure(503, "busy"),
        toolCalls([read]),
        completion("7")
      ])
      const tools = yield* toolsOf([tool("files__read")])
      yield* Effect.flip(execute(server.url, { tools }))
      yield* execute(server.url, { tools, turns: [{ reply: "x", correction: "A number, please" }] })
      const roles = messagesOf(server.requests[3]?.body).map((message) => get(message as ValueMap, "role"))
      expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant", "tool"])
    })
  )

  it.scopedLive("comes to an end with a model that does nothing but call", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([toolCalls([read])])
      const error = yield* Effect.flip(execute(server.url, { tools: yield* toolsOf([tool("files__read")], 2) }))
      expect(error).toMatchObject({ category: "request", retryable: false })
      expect(error.message).toContain("raise max_agent_iterations")
      expect(server.requests).toHaveLength(3)
    })
  )

  it.scopedLive("says nothing of tools to a step that has none", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([completion("hello")])
      yield* execute(server.url, { tools: yield* toolsOf([]) })
      expect(server.requests[0]?.body).not.toHaveProperty("tools")
    })
  )
})

describe("provider openai, when it fails", () => {
  it.scopedLive("401 is authentication, says which setting to check, and keeps the key to itself", () =>
    Effect.gen(function* () {
      const { error, server } = yield* failureAfter([failure(401, `Incorrect API key provided: ${KEY}`)])
      expect(error).toMatchObject({ category: "authentication", status: 401, retryable: false })
      expect(error.message).toContain(new URL(server.url).host)
      expect(error.message).toContain("[redacted]")
      expect(error.message).toContain("check OPENAI_API_KEY")
    })
  )

  it.scopedLive("429 is a rate limit with the wait that the server asks for, in milliseconds", () =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([failure(429, "slow down", { "retry-after": "7" })])
      expect(error).toMatchObject({ category: "rate_limit", status: 429, retryable: true, retryAfter: 7000 })
    })
  )

  it.scopedLive.each([500, 503])("%i is a server failure, worth another try", (status) =>
    Effect.gen(function* () {
      const { error, server } = yield* failureAfter([failure(status, "overloaded")])
      expect(error).toMatchObject({ category: "server", status, retryable: true })
      expect(error.message).toContain("overloaded")
      expect(server.requests).toHaveLength(1)
    })
  )

  it.scopedLive("404 names the model and the base URL as suspects", () =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([raw(404, "not found")], { model: "no-such-model" })
      expect(error).toMatchObject({ category: "request", status: 404, retryable: false })
      expect(error.message).toContain("no-such-model")
      expect(error.message).toContain("base URL")
    })
  )

  it.scopedLive("a body that is not JSON is malformed", () =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([raw(200, "<html>welcome to the proxy</html>")])
      expect(error).toMatchObject({ category: "malformed", retryable: true })
      expect(error.message).toContain("did not answer with a chat completion")
    })
  )

  it.scopedLive("a reply without choices is malformed", () =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([withoutChoices])
      expect(error).toMatchObject({ category: "malformed", retryable: true })
    })
  )

  it.scopedLive("a model that spent its limit on thinking is told apart from an empty answer", () =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([completion(null, { finish: "length" })])
      expect(error).toMatchObject({ category: "request", retryable: false })
      expect(error.message).toContain("max_tokens")
    })
  )

  it.scopedLive.each([
    ["in the middle of the body", disconnectInBody],
    ["at once", disconnectAtOnce]
  ] as const)("a disconnect %s is a connection failure", ([, reply]) =>
    Effect.gen(function* () {
      const { error } = yield* failureAfter([reply])
      expect(error).toMatchObject({ category: "connection", retryable: true })
      expect(error.status).toBeUndefined()
    })
  )

  it.live("a port where nobody listens is a connection failure that names the host", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(openAiWireServer([silence]))
      const error = yield* Effect.flip(execute(url))
      expect(error).toMatchObject({ category: "connection", retryable: true })
      expect(error.message).toContain(new URL(url).host)
    })
  )

  it.scopedLive("a reply slower than the timeout is a timeout, and the request is given up", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([silence])
      const provider = yield* lastingProvider(server.url, { timeout: 1 })
      const error = yield* Effect.flip(provider.execute(REQUEST))
      expect(error).toMatchObject({ category: "timeout", retryable: true })
      expect(error.message).toContain("within 1s")
      yield* Deferred.await(server.abandoned)
    })
  )

  it.scopedLive("interruption aborts the request", () =>
    Effect.gen(function* () {
      const server = yield* openAiWireServer([silence])
      const provider = yield* lastingProvider(server.url)
      const fiber = yield* Effect.fork(provider.execute(REQUEST))
      yield* Deferred.await(server.asked)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(server.abandoned)
    })
  )

  it.scopedLive("a reply without an end is cut off", () =>
    Effect.gen(function* () {
      const { error, server } = yield* failureAfter([endless])
      expect(error).toMatchObject({ category: "malformed", retryable: false })
      expect(error.message).toContain("larger than")
      yield* Deferred.await(server.abandoned)
    })
  )

  it.scopedLive("an effort that the API does not know is refused before anything is sent", () =>
    Effect.gen(function* () {
      const { error, server } = yield* failureAfter([completion("hello")], { reasoningEffort: "max" })
      expect(error.message).toContain("low, medium, high")
      expect(server.requests).toHaveLength(0)
    })
  )
})
