/** What the engine may expect of every `AgentProvider`, over all adapters. */
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref } from "effect"
import { expect } from "vitest"
import { AgentProviders, type AgentRequest } from "../../src/agents/AgentProvider.ts"
import type { AgentTool, AgentTools, ToolRound } from "../../src/agents/AgentTools.ts"
import { agentProvidersLayer } from "../../src/agents/AgentProvidersLive.ts"
import { ScriptedAgents } from "../../src/agents/ScriptedProvider.ts"
import { stringifyJson, type Value, type ValueMap } from "../../src/domain/Value.ts"
import {
  completion,
  failure,
  openAiWireServer,
  silence,
  toolCalls,
  type WireReply
} from "../support/OpenAiWireServer.ts"

type Reply =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Map"; readonly map: ValueMap }
  | { readonly _tag: "Metered"; readonly text: string; readonly input: number; readonly output: number }
  | { readonly _tag: "Failure"; readonly status: number; readonly message: string }
  | { readonly _tag: "Calls"; readonly tool: string; readonly input: ValueMap; readonly text: string }
  | { readonly _tag: "Never" }

const onTheWire = (reply: Reply): WireReply | ReadonlyArray<WireReply> => {
  switch (reply._tag) {
    case "Text":
      return completion(reply.text)
    case "Map":
      return completion(stringifyJson(reply.map))
    case "Metered":
      return completion(reply.text, { usage: { prompt_tokens: reply.input, completion_tokens: reply.output } })
    case "Failure":
      return failure(reply.status, reply.message)
    case "Calls":
      return [toolCalls([{ name: reply.tool, arguments: stringifyJson(reply.input) }]), completion(reply.text)]
    case "Never":
      return silence
  }
}

const inTheScript = (reply: Reply): Value => {
  switch (reply._tag) {
    case "Text":
      return reply.text
    case "Map":
      return reply.map
    case "Metered":
      return ScriptedAgents.reply(reply.text, { usage: { input_tokens: reply.input, output_tokens: reply.output } })
    case "Failure":
      return { error: { message: reply.message, status: reply.status } }
    case "Calls":
      return ScriptedAgents.reply(reply.text, { calls: [{ tool: reply.tool, arguments: reply.input }] })
    case "Never":
      return ScriptedAgents.reply("too late", { after: 1_000_000 })
  }
}

const adapters: ReadonlyArray<{
  readonly name: string
  readonly layer: (replies: ReadonlyArray<Reply>) => Layer.Layer<AgentProviders>
}> = [
  { name: "scripted", layer: (replies) => ScriptedAgents.layer({ step: replies.map(inTheScript) }) },
  {
    name: "openai",
    layer: (replies) =>
      Layer.unwrapScoped(
        Effect.map(openAiWireServer(replies.flatMap(onTheWire)), ({ url }) =>
          agentProvidersLayer({ provider: "openai" }, { OPENAI_BASE_URL: url })
        )
      )
  }
]

/** One tool, and the calls that were done. */
const withTool = <E>(execute: AgentTool<E>["execute"]) =>
  Effect.map(Ref.make<ReadonlyArray<ToolRound>>([]), (rounds) => ({
    tools: {
      available: [{ name: "files__read", inputSchema: { type: "object" }, execute }],
      maxRounds: 3,
      rounds
    } satisfies AgentTools<E>,
    rounds
  }))

const CALL: Reply = { _tag: "Calls", tool: "files__read", input: { path: "a.md" }, text: "it says hello" }

const execute = <E = never>(request: Partial<AgentRequest<E>> = {}) =>
  Effect.flatMap(AgentProviders, (providers) => providers.get("openai")).pipe(
    Effect.flatMap((provider) => provider.execute({ step: "step", prompt: "prompt", turns: [], ...request }))
  )

describe.each(adapters)("AgentProvider, the $name adapter", ({ layer }) => {
  it.live("a provider carries the name that a workflow writes", () =>
    Effect.gen(function* () {
      const providers = yield* AgentProviders
      for (const name of providers.available) {
        expect((yield* Effect.either(providers.get(name)))._tag).toBe("Right")
      }
      expect((yield* providers.get("openai")).name).toBe("openai")
    }).pipe(Effect.provide(layer([])))
  )

  it.live("an unknown provider is a failed request that names the available ones", () =>
    Effect.gen(function* () {
      const providers = yield* AgentProviders
      const error = yield* Effect.flip(providers.get("nobody"))
      expect(error).toMatchObject({ provider: "nobody", category: "request", retryable: false })
      for (const name of providers.available) expect(error.message).toContain(name)
    }).pipe(Effect.provide(layer([])))
  )

  it.live("without declared output the content is the model's text, also when it looks like JSON", () =>
    Effect.gen(function* () {
      expect((yield* execute()).content).toEqual({ _tag: "Text", text: '{"a": 1}' })
    }).pipe(Effect.provide(layer([{ _tag: "Text", text: '{"a": 1}' }])))
  )

  it.live("with declared output the content is structured when the model kept to it", () =>
    Effect.gen(function* () {
      const { content } = yield* execute({ output: { a: { type: "number", required: true, nullable: false } } })
      expect(content).toEqual({ _tag: "Structured", value: { a: 1 } })
    }).pipe(Effect.provide(layer([{ _tag: "Map", map: { a: 1 } }])))
  )

  it.live("with declared output the content is the text when the model did not keep to it", () =>
    Effect.gen(function* () {
      const { content } = yield* execute({ output: { a: { type: "number", required: true, nullable: false } } })
      expect(content).toEqual({ _tag: "Text", text: "a is 1" })
    }).pipe(Effect.provide(layer([{ _tag: "Text", text: "a is 1" }])))
  )

  it.live("tokens are counted, and none reported counts as none used", () =>
    Effect.gen(function* () {
      expect((yield* execute()).usage).toMatchObject({ inputTokens: 12, outputTokens: 3 })
      expect((yield* execute()).usage).toEqual({
        inputTokens: 0,
        outputTokens: 0,
        cacheReadTokens: 0,
        cacheWriteTokens: 0
      })
    }).pipe(
      Effect.provide(
        layer([
          { _tag: "Metered", text: "x", input: 12, output: 3 },
          { _tag: "Text", text: "y" }
        ])
      )
    )
  )

  it.live.each([
    [400, "request", false],
    [401, "authentication", false],
    [403, "authentication", false],
    [404, "request", false],
    [408, "timeout", true],
    [422, "request", false],
    [429, "rate_limit", true],
    [500, "server", true],
    [504, "server", true]
  ] as const)("HTTP %i is of category %s", ([status, category, retryable]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(execute())
      expect(error).toMatchObject({ provider: "openai", status, category, retryable })
      expect(error.message).toContain("no luck")
    }).pipe(Effect.provide(layer([{ _tag: "Failure", status, message: "no luck" }])))
  )

  it.live("a failed call is not repeated: the next reply is the next call's", () =>
    Effect.gen(function* () {
      yield* Effect.flip(execute())
      expect((yield* execute()).content).toEqual({ _tag: "Text", text: "recovered" })
    }).pipe(
      Effect.provide(
        layer([
          { _tag: "Failure", status: 503, message: "busy" },
          { _tag: "Text", text: "recovered" }
        ])
      )
    )
  )

  it.live("tools are called as the model asks, and its answer comes behind them", () =>
    Effect.gen(function* () {
      const { rounds, tools } = yield* withTool(({ path = null }) =>
        Effect.succeed({ text: `${String(path)} says hello`, isError: false })
      )
      expect((yield* execute({ tools })).content).toEqual({ _tag: "Text", text: "it says hello" })
      expect(yield* Ref.get(rounds)).toMatchObject([
        {
          turns: 0,
          calls: [{ tool: "files__read", input: { path: "a.md" }, reply: { text: "a.md says hello", isError: false } }]
        }
      ])
    }).pipe(Effect.provide(layer([CALL])))
  )

  it.live("what ends the step in a tool ends the call", () =>
    Effect.gen(function* () {
      const { tools } = yield* withTool(() => Effect.fail("the disk is full" as const))
      expect(yield* Effect.flip(execute({ tools }))).toBe("the disk is full")
    }).pipe(Effect.provide(layer([CALL])))
  )

  it.live("a call that never answers can be interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(execute())
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber).pipe(Effect.timeout("5 seconds"))
    }).pipe(Effect.provide(layer([{ _tag: "Never" }])))
  )
})
