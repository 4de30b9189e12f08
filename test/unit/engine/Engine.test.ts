import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import { parseJson } from "../../../src/domain/Value.ts"
import { decide } from "../../../src/engine/Decider.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import { EventSink, EventSinkError } from "../../../src/engine/EventSink.ts"
import { IterationGrants } from "../../../src/engine/IterationGrants.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { initialState } from "../../../src/engine/State.ts"
import { ProcessError } from "../../../src/platform/ProcessError.ts"
import type { ProcessSpec } from "../../../src/platform/ProcessRunner.ts"
import { dataOf, engineFor, planOf, recorded, start, surroundings, typesOf, type Setting } from "./RunText.ts"

const oneStep = (step: string, limits = "{}"): string =>
  `workflow: {name: w, entry_point: a, limits: ${limits}}\nagents: [{name: a, ${step}}]\n`

/** What the model answers to step `a`, as JSON text: an object with the key `then` must not be written as one. */
const replies = (json: string): AgentScript => ({ a: parseJson(json) })

const running = (text: string, setting: Setting = {}) => start(text).pipe(Effect.provide(engineFor(setting)))

describe("a start", () => {
  it.effect("is refused before the first event when a step needs what cannot be run", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(start(oneStep("prompt: p, session_key: k")))
      expect(error._tag).toBe("UnsupportedWorkflow")
      expect(error.message).toContain("a: session_key is not for provider 'copilot'")
      expect(yield* recorded).toEqual([])
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("is refused with the way out when the provider is not there", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(start(oneStep("prompt: p")))
      expect(error.message).toContain("'copilot' is not available here (available: openai)")
      expect(error.message).toContain("--provider openai")
      expect(yield* recorded).toEqual([])
    }).pipe(Effect.provide(engineFor({ available: ["openai"] })))
  )
})

describe("a run", () => {
  it.effect("tells its inputs with the defaults filled in", () =>
    Effect.gen(function* () {
      yield* start(
        "workflow: {name: w, entry_point: a, input: {n: {type: number, required: false}, s: {type: string, default: x}}}\n" +
          "agents: [{name: a, type: set, value: '1'}]\n",
        { given: null }
      )
      expect(dataOf(yield* recorded, "workflow_started")?.inputs).toEqual({ given: null, n: 0, s: "x" })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("ends in one event, which is the last one", () =>
    Effect.gen(function* () {
      yield* start(oneStep("type: set, value: '{{ nobody }}'"))
      expect(typesOf(yield* recorded)).toEqual([
        "workflow_started",
        "agent_started",
        "set_started",
        "set_failed",
        "agent_failed",
        "workflow_failed"
      ])
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("stops when its log cannot be written", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(EventSink, { append: () => new EventSinkError({ message: "disk full" }) })
      const engine = Layer.provideMerge(EngineLive, Layer.merge(broken, surroundings()))
      const error = yield* Effect.flip(start(oneStep("type: set, value: '1'")).pipe(Effect.provide(engine)))
      expect(error).toBeInstanceOf(EventSinkError)
    })
  )

  it.effect("fails with a reason when there is a bug in the engine's surroundings", () =>
    Effect.gen(function* () {
      const outcome = yield* running(oneStep("type: script, command: x"), {
        command: () => Effect.die(new Error("oops"))
      })
      expect(outcome).toMatchObject({ _tag: "Failed", errorType: "ExecutionError", step: "a" })
      expect(outcome).toHaveProperty("message", expect.stringContaining("oops"))
    })
  )

  it.effect("goes on when somebody grants more iterations", () =>
    Effect.gen(function* () {
      const text =
        "workflow: {name: w, entry_point: a, limits: {max_iterations: 1}}\n" +
        "agents: [{name: a, type: set, value: '{{ context.iteration }}', routes: [{to: a, when: '{{ output < 2 }}'}, {to: $end}]}]\n"
      const outcome = yield* running(text).pipe(
        Effect.provideService(IterationGrants, { ask: () => Effect.succeed(5) })
      )
      expect(outcome._tag).toBe("Completed")
    })
  )
})

describe("a time limit", () => {
  it.effect("of the run cuts a wait short", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(oneStep("type: wait, duration: 20s", "{timeout_seconds: 2}")))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ errorType: "TimeoutError", step: "a" })
      const failed = dataOf(yield* recorded, "workflow_failed")
      expect(failed).toMatchObject({ elapsed_seconds: 2, timeout_seconds: 2, current_agent: "a" })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("of the run waits until the script that it cuts is gone", () =>
    Effect.gen(function* () {
      let gone = false
      const command = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (gone = true)))
      const fiber = yield* Effect.fork(
        running(oneStep("type: script, command: x", "{timeout_seconds: 2}"), { command }).pipe(
          Effect.map((outcome) => [outcome, gone])
        )
      )
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject([{ errorType: "TimeoutError" }, true])
    })
  )

  it.effect("of a step is told before the run fails", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(oneStep("prompt: p, timeout_seconds: 3")))
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ errorType: "AgentTimeoutError", step: "a" })
      expect(typesOf(yield* recorded).slice(-3)).toEqual(["agent_timeout", "agent_failed", "workflow_failed"])
    }).pipe(Effect.provide(engineFor({ script: replies('[{"then": "late", "after": 9}]') })))
  )

  it.effect("of a session ends it, and it is not tried again; a step's own comes before that of the runtime", () =>
    Effect.gen(function* () {
      const text = (step: string) =>
        "workflow: {name: w, entry_point: a, runtime: {max_session_seconds: 3}}\n" +
        `agents: [{name: a, prompt: p, retry: {max_attempts: 3}${step}}]\n`
      const after = (step: string, duration: Duration.DurationInput) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(start(text(step)))
          yield* TestClock.adjust(duration)
          return [yield* Fiber.join(fiber), typesOf(yield* recorded).includes("agent_retry")] as const
        }).pipe(Effect.provide(engineFor({ script: replies('[{"then": "late", "after": 9}]') })))
      expect(yield* after("", "3 seconds")).toMatchObject([
        { errorType: "ProviderError", message: expect.stringContaining("max_session_seconds (3s)") as string },
        false
      ])
      expect(yield* after(", max_session_seconds: 10", "9 seconds")).toMatchObject([{ _tag: "Completed" }, false])
    })
  )

  it.effect("of a step gives way to a run that has less time left", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(oneStep("prompt: p, timeout_seconds: 3", "{timeout_seconds: 2}")))
      yield* TestClock.adjust("3 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ errorType: "TimeoutError" })
    }).pipe(Effect.provide(engineFor({ script: replies('[{"then": "late", "after": 9}]') })))
  )
})

describe("a cancelled run", () => {
  it.effect("says which step was running", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(oneStep("type: wait, duration: 20s")))
      yield* TestClock.adjust("5 seconds")
      expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
      const events = yield* recorded
      expect(typesOf(events).at(-1)).toBe("workflow_cancelled")
      expect(dataOf(events, "workflow_cancelled")).toMatchObject({ agent_name: "a", elapsed: 5 })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("is told only after its script is gone", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const seen: Array<ReadonlyArray<string>> = []
      const command = () =>
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Effect.delay(note, "5 seconds"))
        )
      const memory = yield* Layer.build(layerMemory)
      const note = recorded.pipe(
        Effect.provide(memory),
        Effect.map((events) => seen.push(typesOf(events)))
      )
      const engine = Layer.provideMerge(
        EngineLive,
        Layer.merge(Layer.succeedContext(memory), surroundings({ command }))
      )
      const fiber = yield* Effect.fork(start(oneStep("type: script, command: x")).pipe(Effect.provide(engine)))
      yield* Deferred.await(started)
      const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(interrupting)
      expect(seen).toHaveLength(1)
      expect(seen[0]).not.toContain("workflow_cancelled")
      expect(typesOf(yield* Effect.provide(recorded, memory)).at(-1)).toBe("workflow_cancelled")
    }).pipe(Effect.scoped)
  )
})

describe("a script", () => {
  it.effect("sees the environment of the run without the run's own identity", () =>
    Effect.gen(function* () {
      const specs: Array<ProcessSpec> = []
      const command = (spec: ProcessSpec) =>
        Effect.sync(() => {
          specs.push(spec)
          return { stdout: "", stderr: "", exitCode: 0 }
        })
      const variables = {
        KEEP: "1",
        OWN: "outer",
        CONDUCTOR_RUN_ID: "x",
        CONDUCTOR_BG_STDERR_LOG: "y",
        CONDUCTOR_HOME: "h"
      }
      yield* running(oneStep("type: script, command: x, env: {OWN: '{{ literal }}'}"), { command, variables })
      expect(specs[0]?.env).toEqual({ KEEP: "1", OWN: "{{ literal }}", CONDUCTOR_HOME: "h", PYTHONUTF8: "1" })
      expect(specs[0]).not.toHaveProperty("stdin")
    })
  )

  it.effect("that cannot be run names the step", () =>
    Effect.gen(function* () {
      const command = () =>
        new ProcessError({ reason: "not-found", command: "nope", message: "command not found: nope" })
      const outcome = yield* running(oneStep("type: script, command: nope"), { command })
      expect(outcome).toMatchObject({ errorType: "ExecutionError", message: "Script 'a': command not found: nope" })
    })
  )
})

describe("an agent step", () => {
  it.effect("waits before it tries again, and says for how long", () =>
    Effect.gen(function* () {
      const text = oneStep("prompt: p, retry: {max_attempts: 2, delay_seconds: 4, backoff: fixed}")
      const fiber = yield* Effect.fork(start(text))
      yield* TestClock.adjust("3999 millis")
      expect(Option.isNone(yield* Fiber.poll(fiber))).toBe(true)
      yield* TestClock.adjust("1001 millis")
      expect((yield* Fiber.join(fiber))._tag).toBe("Completed")
      const retry = dataOf(yield* recorded, "agent_retry")
      expect(retry).toMatchObject({ attempt: 1, max_attempts: 2, error_type: "ProviderError", error: "busy" })
      expect(retry?.delay).toBeGreaterThanOrEqual(4)
    }).pipe(Effect.provide(engineFor({ script: { a: [{ error: { message: "busy", status: 503 } }, "ok"] } })))
  )

  it.effect("sends an unusable reply back with what is wrong with it", () =>
    Effect.gen(function* () {
      const text = oneStep("prompt: p, output: {n: {type: number}}, retry: {max_parse_recovery_attempts: 1}")
      expect((yield* start(text))._tag).toBe("Completed")
      const { all } = yield* ScriptedCalls
      const turns = (yield* all).map(({ request }) => request.turns)
      expect(turns).toMatchObject([[], [{ reply: "oops", correction: expect.stringContaining('"n" (number)') }]])
    }).pipe(Effect.provide(engineFor({ script: { a: ["oops", { n: 1 }] } })))
  )

  it.effect("counts the tokens of unusable replies, too", () =>
    Effect.gen(function* () {
      const text = oneStep("prompt: p, output: {n: {type: number}}, retry: {max_parse_recovery_attempts: 1}")
      yield* start(text)
      const completed = dataOf(yield* recorded, "agent_completed")
      expect(completed).toMatchObject({ input_tokens: 11, output_tokens: 7, tokens: 18 })
    }).pipe(
      Effect.provide(
        engineFor({
          script: replies(
            '[{"then": "oops", "usage": {"input_tokens": 1, "output_tokens": 2}},' +
              ' {"then": {"n": 1}, "usage": {"input_tokens": 10, "output_tokens": 5}}]'
          )
        })
      )
    )
  )
})

describe("a terminate step", () => {
  it.effect("whose output cannot be rendered does not end the run as completed, not even when it is resumed", () =>
    Effect.gen(function* () {
      const text = oneStep("type: terminate, status: success, reason: r, output_template: {x: '{{ nobody }}'}")
      expect(yield* start(text)).toMatchObject({ errorType: "TemplateError", step: "a" })
      const events = yield* recorded
      expect(typesOf(events).slice(-2)).toEqual(["agent_failed", "workflow_failed"])
      const cutOff = events.slice(0, -1).reduce(evolve, initialState(10))
      expect(decide(yield* planOf(text), cutOff)).toEqual({ _tag: "RunStep", node: "a" })
    }).pipe(Effect.provide(engineFor()))
  )
})

describe("a wait", () => {
  it.effect("tells how long it took", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(oneStep("type: wait, duration: 1.5m, reason: tea")))
      yield* TestClock.adjust(Duration.seconds(90))
      yield* Fiber.join(fiber)
      expect(dataOf(yield* recorded, "wait_completed")).toMatchObject({
        waited_seconds: 90,
        requested_seconds: 90,
        reason: "tea",
        interrupted: false
      })
    }).pipe(Effect.provide(engineFor()))
  )
})
