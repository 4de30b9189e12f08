/** Parallel and for_each groups: what their members see, how many run at once, and what is left after a crash. */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { EventSink } from "../../../src/engine/EventSink.ts"
import { makeJournal } from "../../../src/engine/Journal.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { makeOpenSessions } from "../../../src/engine/OpenSessions.ts"
import { initialState } from "../../../src/engine/State.ts"
import { runWorkflow } from "../../../src/engine/WorkflowRun.ts"
import { dataOf, engineFor, planOf, recorded, start, surroundings, typesOf, type Setting } from "./RunText.ts"

const parallel = (mode: string, limits = "{}"): string => `
workflow: {name: w, entry_point: p, limits: ${limits}}
agents: [{name: quick, prompt: q}, {name: slow, prompt: s}]
parallel: [{name: p, agents: [quick, slow], failure_mode: ${mode}}]
output: {r: "{{ p.outputs | list | tojson }}"}
`

const forEach = (list: string, rest: string, agent = `{name: x, prompt: "{{ it }}"}`): string => `
workflow: {name: w, entry_point: f, input: {l: {type: array, default: ${list}}}}
agents: []
for_each: [{name: f, type: for_each, source: workflow.input.l, as: it, agent: ${agent}, ${rest}}]
output: {r: "{{ f.outputs | tojson }}"}
`

const answer = (text: string, after: number) => ScriptedAgents.reply(text, { after })
const failing = { error: { message: "boom" } }

const running = (text: string, setting: Setting = {}) => start(text).pipe(Effect.provide(engineFor(setting)))

const itemsOf = (events: ReadonlyArray<RunEvent>, type: "for_each_item_started" | "for_each_item_completed") =>
  events.flatMap((event) => (event.type === type ? [event.data.item_key] : []))

/** Goes on from a log that was cut off, as another process would. */
const resume = (text: string, log: ReadonlyArray<RunEvent>, setting: Setting = {}) =>
  Effect.gen(function* () {
    const plan = yield* planOf(text)
    const state = log.reduce(evolve, initialState(plan.limits.max_iterations))
    const journal = yield* makeJournal(yield* EventSink, state)
    const request = { runId: "test", plan, inputs: {}, metadata: {} }
    const openSessions = yield* makeOpenSessions
    const remaining = Effect.succeed(Infinity)
    yield* runWorkflow({ runId: "test", request, journal, openSessions, remaining, path: [] })
    return { events: yield* recorded, state: yield* journal.state }
  }).pipe(Effect.provide([layerMemory, surroundings(setting)]))

describe("a parallel group", () => {
  it.effect("interrupts the other members when one fails and the mode is fail_fast", () =>
    Effect.gen(function* () {
      const outcome = yield* start(parallel("fail_fast"))
      expect(outcome).toMatchObject({
        errorType: "ExecutionError",
        message: "Agent 'quick' in parallel group 'p' failed (fail_fast mode): ProviderError: boom"
      })
      expect(dataOf(yield* recorded, "parallel_completed")).toMatchObject({ success_count: 0, failure_count: 1 })
    }).pipe(Effect.provide(engineFor({ script: { quick: [failing], slow: [answer("never", 3600)] } })))
  )

  it.effect("waits for all members in the other modes", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(parallel("continue_on_error")))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toEqual({ _tag: "Completed", output: { r: ["slow"] } })
    }).pipe(Effect.provide(engineFor({ script: { quick: [failing], slow: [answer("late", 60)] } })))
  )

  it.effect("does not start when its members do not all fit into the iteration limit, and says how many they are", () =>
    Effect.gen(function* () {
      const outcome = yield* start(parallel("fail_fast", "{max_iterations: 1}"))
      expect(outcome).toMatchObject({ errorType: "MaxIterationsError" })
      expect(dataOf(yield* recorded, "iteration_limit_reached")).toMatchObject({ group_name: "p", agent_count: 2 })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("that was cut off runs only the members that had not finished", () =>
    Effect.gen(function* () {
      const text = parallel("fail_fast")
      yield* start(text)
      const events = yield* recorded
      const first = events.findIndex(({ type }) => type === "parallel_agent_completed")
      const resumed = yield* resume(text, events.slice(0, first + 1))
      expect(typesOf(resumed.events).filter((type) => type === "parallel_agent_started")).toHaveLength(1)
      expect(resumed.state.phase).toMatchObject({ ending: { output: { r: ["quick", "slow"] } } })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("that has a step for a member which cannot be one is refused with the kinds that can", () =>
    Effect.gen(function* () {
      const text = parallel("fail_fast").replace("{name: quick, prompt: q}", "{name: quick, type: script, command: x}")
      const error = yield* Effect.flip(start(text))
      expect(error.message).toContain("'quick' is of type script, and a parallel group runs steps of type agent, set")
    }).pipe(Effect.provide(engineFor()))
  )
})

describe("a for_each group", () => {
  it.effect("starts the next item as soon as one has ended, and never more than max_concurrent", () =>
    Effect.gen(function* () {
      const text = forEach("[a, b, c, d]", "max_concurrent: 2")
      const script = { "x[0]": [answer("slow", 10)], x: [answer("quick", 1)] }
      const fiber = yield* Effect.fork(
        Effect.zipRight(start(text), recorded).pipe(Effect.provide(engineFor({ script })))
      )
      yield* TestClock.adjust("10 seconds")
      const events = yield* Fiber.join(fiber)
      expect(itemsOf(events, "for_each_item_completed")).toEqual(["1", "2", "3", "0"])
      const atOnce = events.reduce<ReadonlyArray<number>>(
        (counts, { type }) => {
          const change = type === "for_each_item_started" ? 1 : type === "for_each_item_completed" ? -1 : 0
          return [...counts, (counts.at(-1) ?? 0) + change]
        },
        [0]
      )
      expect(Math.max(...atOnce)).toBe(2)
    })
  )

  it.effect("gives its outputs in the order of the source, whatever came first", () =>
    Effect.gen(function* () {
      const script = { "x[0]": [answer("slow", 10)], x: ["quick"] }
      const fiber = yield* Effect.fork(running(forEach("[a, b]", "max_concurrent: 2"), { script }))
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ output: { r: [{ result: "slow" }, { result: "quick" }] } })
    })
  )

  it.effect("starts no further item after a failure in fail_fast mode", () =>
    Effect.gen(function* () {
      const outcome = yield* start(forEach("[a, b, c]", "max_concurrent: 1"))
      expect(outcome).toMatchObject({
        message: "Item '1' in for-each group 'f' failed (fail_fast mode): ProviderError: boom"
      })
      expect(itemsOf(yield* recorded, "for_each_item_started")).toEqual(["0", "1"])
      expect(typesOf(yield* recorded)).not.toContain("for_each_completed")
    }).pipe(Effect.provide(engineFor({ script: { "x[1]": [failing] } })))
  )

  it.effect("that was cut off runs only the items that had not finished", () =>
    Effect.gen(function* () {
      const text = forEach("[a, b, c]", "max_concurrent: 1")
      yield* start(text)
      const events = yield* recorded
      const second = events.findIndex((event) => event.type === "for_each_item_completed" && event.data.index === 1)
      const resumed = yield* resume(text, events.slice(0, second + 1))
      expect(itemsOf(resumed.events, "for_each_item_started")).toEqual(["2"])
      expect(resumed.state.phase).toMatchObject({
        ending: { output: { r: [{ result: "a" }, { result: "b" }, { result: "c" }] } }
      })
      expect(resumed.state.iterations).toBe(3)
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("that is empty costs no iteration, and a loop of it ends at the limit all the same", () =>
    Effect.gen(function* () {
      const outcome = yield* start(forEach("[]", "routes: [{to: f}]"))
      expect(outcome).toMatchObject({ errorType: "MaxIterationsError", step: "f" })
      expect(typesOf(yield* recorded).filter((type) => type === "for_each_skipped")).toHaveLength(10)
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("names a missing source with the nearest one", () =>
    Effect.gen(function* () {
      const outcome = yield* running(forEach("[a]", "").replace("workflow.input.l,", "workflow.input.ll,"))
      expect(outcome).toMatchObject({ errorType: "ExecutionError" })
      expect(outcome._tag === "Failed" && outcome.message).toContain("Did you mean 'l'?")
    })
  )

  it.effect("ends with its run when that is cancelled", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const text = forEach("[a, b]", "", "{name: x, type: workflow, workflow: child}")
      const child = "workflow: {name: c, entry_point: s}\nagents: [{name: s, type: script, command: x}]\n"
      let alive = 0
      const command = () =>
        Effect.acquireUseRelease(
          Effect.sync(() => (alive += 1)),
          () => Effect.zipRight(Deferred.succeed(asked, undefined), Effect.never),
          () => Effect.sync(() => (alive -= 1))
        )
      const fiber = yield* Effect.fork(running(text, { command, workflows: { child } }))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      expect(alive).toBe(0)
    })
  )
})
