import { describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { expect } from "vitest"
import { AgentProviders, type AgentRequest } from "../../../src/agents/AgentProvider.ts"
import { ScriptedAgents, ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { parseJson } from "../../../src/domain/Value.ts"

const ask = (step: string, request: Partial<AgentRequest> = {}) =>
  Effect.gen(function* () {
    const provider = yield* Effect.flatMap(AgentProviders, (providers) => providers.get("copilot"))
    return yield* provider.execute({ step, prompt: `prompt of ${step}`, turns: [], ...request })
  })

const contentOf = (step: string) => Effect.map(ask(step), ({ content }) => content)

describe("ScriptedAgents", () => {
  it.effect("answers call by call, and the last response repeats", () =>
    Effect.gen(function* () {
      const answers = [yield* contentOf("a"), yield* contentOf("a"), yield* contentOf("a")]
      expect(answers).toEqual([
        { _tag: "Text", text: "one" },
        { _tag: "Structured", value: { two: 2 } },
        { _tag: "Structured", value: { two: 2 } }
      ])
    }).pipe(Effect.provide(ScriptedAgents.layer({ a: ["one", { two: 2 }] })))
  )

  it.effect("counts each step for itself", () =>
    Effect.gen(function* () {
      yield* ask("a")
      expect(yield* contentOf("b")).toEqual({ _tag: "Text", text: "b1" })
      expect(yield* contentOf("a")).toEqual({ _tag: "Text", text: "a2" })
    }).pipe(Effect.provide(ScriptedAgents.layer({ a: ["a1", "a2"], b: ["b1", "b2"] })))
  )

  it.effect("an item of a loop has its own responses, or draws from those of the step", () =>
    Effect.gen(function* () {
      const steps = ["item[x]", "item[y]", "item[z]", "item[x] (validator)"]
      expect(yield* Effect.forEach(steps, contentOf)).toEqual(
        ["own", "first", "second", "graded"].map((text) => ({ _tag: "Text", text }))
      )
    }).pipe(
      Effect.provide(
        ScriptedAgents.layer({ "item[x]": ["own"], item: ["first", "second"], "item (validator)": ["graded"] })
      )
    )
  )

  it.effect("a step that nobody scripted answers its prompt", () =>
    Effect.gen(function* () {
      expect(yield* contentOf("free")).toEqual({ _tag: "Structured", value: { result: "prompt of free" } })
      expect(yield* contentOf("constructor")).toEqual({
        _tag: "Structured",
        value: { result: "prompt of constructor" }
      })
    }).pipe(Effect.provide(ScriptedAgents.layer({})))
  )

  it.effect("a failure follows its status unless the script says otherwise", () =>
    Effect.gen(function* () {
      const errors = yield* Effect.all(Array.from({ length: 5 }, () => Effect.flip(ask("a"))))
      expect(errors.map(({ category, retryable, status }) => [category, retryable, status])).toEqual([
        ["server", false, undefined],
        ["server", true, 503],
        ["server", false, 503],
        ["authentication", false, 401],
        ["timeout", true, undefined]
      ])
      expect(errors[0]?.message).toBe("down")
    }).pipe(
      Effect.provide(
        ScriptedAgents.layer({
          a: [
            { error: { message: "down" } },
            { error: { message: "busy", status: 503 } },
            { error: { message: "busy", status: 503, retryable: false } },
            { error: { message: "denied", status: 401 } },
            { error: { message: "slow", kind: "timeout", retryable: true } }
          ]
        })
      )
    )
  )

  it.effect("an answer may have fields called `error` and `then`", () => {
    const answers = ['{"error": "none", "ok": true}', '{"then": "next", "other": 1}'].map(parseJson)
    return Effect.gen(function* () {
      expect([yield* contentOf("a"), yield* contentOf("a")]).toEqual(
        answers.map((value) => ({ _tag: "Structured", value }))
      )
    }).pipe(Effect.provide(ScriptedAgents.layer({ a: answers })))
  })

  it.effect("answers late and metered when the script says so", () => {
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 3 }
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(ask("a", { model: "m" }))
      yield* TestClock.adjust("4 seconds")
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(fiber)).toEqual({
        content: { _tag: "Text", text: "late" },
        model: "m",
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 0 }
      })
    }).pipe(Effect.provide(ScriptedAgents.layer({ a: [ScriptedAgents.reply("late", { after: 5, usage })] })))
  })

  it.effect("reads the corpus form of a late answer, whatever the kind of its number", () => {
    const script = { a: [parseJson('{"then": "late", "after": 5.0}')] }
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(contentOf("a"))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(fiber)).toEqual({ _tag: "Text", text: "late" })
    }).pipe(Effect.provide(ScriptedAgents.layer(script)))
  })

  it.effect("remembers what it was asked", () =>
    Effect.gen(function* () {
      yield* ask("a", { model: "m" })
      yield* Effect.flip(ask("b"))
      const calls = yield* Effect.flatMap(ScriptedCalls, ({ all }) => all)
      expect(calls.map(({ provider, request }) => [provider, request.step, request.model])).toEqual([
        ["copilot", "a", "m"],
        ["copilot", "b", undefined]
      ])
    }).pipe(Effect.provide(ScriptedAgents.layer({ b: [{ error: { message: "down" } }] })))
  )

  it.effect("has only the providers that it is given", () =>
    Effect.gen(function* () {
      expect((yield* Effect.flip(ask("a"))).message).toContain("one of: openai")
    }).pipe(Effect.provide(ScriptedAgents.layer({}, { available: ["openai"] })))
  )
})
