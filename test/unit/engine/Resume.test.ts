/** What the engine does with a run that has a history: it goes on. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, TestClock } from "effect"
import { ScriptedAgents } from "../../../src/agents/ScriptedProvider.ts"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import type { ValueMap } from "../../../src/domain/Value.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { People } from "../../../src/engine/People.ts"
import type { ResumedGroups } from "../../../src/engine/ResumedState.ts"
import { initialState } from "../../../src/engine/State.ts"
import { dataOf, engineFor, recorded, start, typesOf } from "./RunText.ts"

/** One start of a run: its outcome, none when it was interrupted, and the events of this start alone. */
const startOnce = (
  text: string,
  history: ReadonlyArray<RunEvent>,
  script: AgentScript = {},
  inputs: ValueMap = {},
  workflows: Readonly<Record<string, string>> = {},
  groups: ResumedGroups = "continue"
) =>
  Effect.gen(function* () {
    const outcome = yield* Effect.option(start(text, inputs, history, groups))
    return { outcome: Option.getOrUndefined(outcome), events: yield* recorded }
  }).pipe(Effect.provide(engineFor({ script, workflows })))

const stepsOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "agent_started" ? [event.data.agent_name] : []))

const chain = `
workflow:
  name: chain
  entry_point: first
  input:
    who: { type: string, required: true }
  limits: { max_iterations: 3 }
agents:
  - { name: first, prompt: "one {{ workflow.input.who }}", routes: [{ to: second }] }
  - { name: second, prompt: "two {{ first.output.result }}", routes: [{ to: third }] }
  - { name: third, type: set, value: "{{ context.iteration }}", routes: [{ to: $end }] }
output:
  text: "{{ first.output.result }}, {{ second.output.result }}, {{ third.output }}, {{ workflow.input.who }}"
`

const down = { second: [{ error: { message: "down" } }] }

describe("a run with a history", () => {
  it.effect("begins again at the step that failed, with the inputs and the outputs that it had", () =>
    Effect.gen(function* () {
      const failed = yield* startOnce(chain, [], { first: ["A"], ...down }, { who: "you" })
      expect(failed.outcome).toMatchObject({ _tag: "Failed", step: "second" })
      const resumed = yield* startOnce(chain, failed.events, { second: ["B"] })
      expect(stepsOf(resumed.events)).toEqual(["second", "third"])
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { text: "A, B, 2, you" } })
    })
  )

  const group = `
workflow: { name: w, entry_point: p }
agents: [{ name: m1, prompt: x }, { name: m2, prompt: y }]
parallel: [{ name: p, agents: [m1, m2], failure_mode: all_or_nothing }]
output: { r: "{{ p.outputs.m1.result }}{{ p.outputs.m2.result }}" }
`

  it.effect.each([
    { groups: "continue", what: "only the members that failed", r: "AB" },
    { groups: "restart", what: "all members, when that is wanted", r: "CB" }
  ] as const)("runs of a group that failed $what", ({ groups, r }) =>
    Effect.gen(function* () {
      const failed = yield* startOnce(group, [], { m1: ["A"], m2: [{ error: { message: "down" } }] })
      expect(failed.outcome).toMatchObject({ _tag: "Failed", step: "p" })
      const resumed = yield* startOnce(group, failed.events, { m1: ["C"], m2: ["B"] }, {}, {}, groups)
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { r } })
    })
  )

  it.effect("begins a group anew at whichever event it was cut off, when that is wanted", () =>
    Effect.gen(function* () {
      const { events } = yield* startOnce(group, [], { m1: ["A"], m2: ["B"] })
      const begun = events.findIndex(({ type }) => type === "parallel_started")
      const over = events.findIndex(({ type }) => type === "parallel_completed")
      for (let length = begun + 1; length <= over; length += 1) {
        const cutOff = events.slice(0, length)
        const resumed = yield* startOnce(group, cutOff, { m1: ["C"], m2: ["D"] }, {}, {}, "restart")
        expect({ length, outcome: resumed.outcome }).toEqual({
          length,
          outcome: { _tag: "Completed", output: { r: "CD" } }
        })
      }
    })
  )

  it.effect("begins the sub-workflows of a group anew with it", () =>
    Effect.gen(function* () {
      const items = `
workflow: { name: w, entry_point: f, input: { l: { type: array, default: [1, 2] } } }
agents: []
for_each:
  - { name: f, type: for_each, source: workflow.input.l, as: x, agent: { name: m, type: workflow, workflow: child, input_mapping: { who: "{{ x }}" } } }
output: { r: "{{ f.outputs | map(attribute='text') | list | tojson }}" }
`
      const below = { child: chain }
      const failed = yield* startOnce(items, [], { first: ["A"], ...down }, {}, below)
      expect(failed.outcome).toMatchObject({ _tag: "Failed", step: "f" })
      const script = { first: ["C"], second: ["B"] }
      const resumed = yield* startOnce(items, failed.events, script, {}, below, "restart")
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { r: ["C, B, 2, 1", "C, B, 2, 2"] } })
    })
  )

  it.effect("has spent what the sub-workflows did that begin anew", () =>
    Effect.gen(function* () {
      const paid = `
workflow: { name: w, entry_point: f, runtime: { default_model: m }, input: { l: { type: array, default: [1, 2] } }, cost: { pricing: { m: { input_per_mtok: 0, output_per_mtok: 1 } } } }
agents: []
for_each:
  - { name: f, type: for_each, source: workflow.input.l, as: x, agent: { name: m, type: workflow, workflow: child, input_mapping: { who: "{{ x }}" } } }
`
      const below = { child: chain }
      const script = { first: ScriptedAgents.reply("A", { usage: { output_tokens: 10 } }), ...down }
      const failed = yield* startOnce(paid, [], script, {}, below)
      const inAll = failed.events.flatMap((event) =>
        event.type === "agent_completed" ? [event.data.cost_usd ?? 0] : []
      )
      expect(inAll.length).toBeGreaterThan(0)
      for (const groups of ["continue", "restart"] as const) {
        const resumed = yield* startOnce(paid, failed.events, { first: ["C"], second: ["B"] }, {}, below, groups)
        expect(resumed.outcome?._tag).toBe("Completed")
        const total = [...failed.events, ...resumed.events].reduce(evolve, initialState(9)).spent
        expect(total).toBeCloseTo(
          inAll.reduce((sum, cost) => sum + cost, 0),
          12
        )
      }
    })
  )

  it.effect("goes on inside the sub-workflow that failed", () =>
    Effect.gen(function* () {
      const parent = `
workflow: { name: w, entry_point: s }
agents: [{ name: s, type: workflow, workflow: child, input_mapping: { who: me } }]
output: { text: "{{ s.output.text }}" }
`
      const failed = yield* startOnce(parent, [], { first: ["A"], ...down }, {}, { child: chain })
      expect(failed.outcome).toMatchObject({ _tag: "Failed", step: "s" })
      const resumed = yield* startOnce(parent, failed.events, { second: ["B"] }, {}, { child: chain })
      expect(stepsOf(resumed.events)).toEqual(["s", "second", "third"])
      expect(typesOf(resumed.events).filter((type) => type === "workflow_started")).toHaveLength(1)
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { text: "A, B, 2, me" } })
    })
  )

  it.effect("waits at the gate that was open, and does not present it again", () =>
    Effect.gen(function* () {
      const gate = `
workflow: { name: w, entry_point: g }
agents: [{ name: g, type: human_gate, prompt: ok?, options: [{ label: Yes, value: y, route: $end }] }]
output: { r: "{{ g.output.selected }}" }
`
      const left = yield* startOnce(gate, [])
      expect(left.outcome).toMatchObject({ _tag: "Failed", errorType: "HumanGateError" })
      const answered = Layer.succeed(People, { ask: () => Effect.succeed({ selected: "y", additionalInput: {} }) })
      const resumed = yield* Effect.provide(startOnce(gate, left.events), answered)
      expect(typesOf(resumed.events)).toEqual(["workflow_started", "gate_resolved", "workflow_completed"])
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { r: "y" } })
    })
  )

  it.effect("may fail and begin again as often as it takes", () =>
    Effect.gen(function* () {
      const first = yield* startOnce(chain, [], { first: ["A"], ...down }, { who: "you" })
      const second = yield* startOnce(chain, first.events, down)
      expect(second.outcome).toMatchObject({ _tag: "Failed", step: "second" })
      const third = yield* startOnce(chain, [...first.events, ...second.events], { second: ["B"] })
      expect(third.outcome).toEqual({ _tag: "Completed", output: { text: "A, B, 2, you" } })
    })
  )

  it.effect("counts on towards its iteration limit, and meets it again when nothing has changed", () =>
    Effect.gen(function* () {
      const loop = chain.replace("routes: [{ to: $end }]", "routes: [{ to: first }]")
      const stopped = yield* startOnce(loop, [], {}, { who: "you" })
      expect(stopped.outcome).toMatchObject({ errorType: "MaxIterationsError", step: "first" })
      const again = yield* startOnce(loop, stopped.events)
      expect(again.outcome).toMatchObject({ errorType: "MaxIterationsError", step: "first" })
      expect(stepsOf(again.events)).toEqual([])
      const raised = yield* startOnce(loop.replace("max_iterations: 3", "max_iterations: 4"), stopped.events)
      expect(stepsOf(raised.events)).toEqual(["first"])
    })
  )

  it.effect("runs a step again whose output fitted no route", () =>
    Effect.gen(function* () {
      const text = chain
        .replace("[{ to: third }]", `[{ to: third, when: "{{ output.result == 'good' }}" }]`)
        .replace("max_iterations: 3", "max_iterations: 4")
      const stuck = yield* startOnce(text, [], { second: ["bad"] }, { who: "you" })
      expect(stuck.outcome).toMatchObject({ errorType: "ValueError", step: "second" })
      const resumed = yield* startOnce(text, stuck.events, { second: ["good"] })
      expect(stepsOf(resumed.events)).toEqual(["second", "third"])
    })
  )

  it.effect(
    "does not run a finished step again when something else ended the run before its routes were looked at",
    () =>
      Effect.gen(function* () {
        const whole = yield* startOnce(chain, [], {}, { who: "you" })
        const finished = whole.events.findIndex(({ type }) => type === "agent_completed")
        const { events } = whole
        const timeout = { error_type: "TimeoutError", message: "too late", elapsed: 1, agent_name: "first" }
        const end = { seq: finished + 2, type: "workflow_failed", timestamp: 1, data: timeout } as const
        const resumed = yield* startOnce(chain, [...events.slice(0, finished + 1), end])
        expect(stepsOf(resumed.events)).toEqual(["second", "third"])
      })
  )

  it.effect("renders the output again when that was what failed", () =>
    Effect.gen(function* () {
      const broken = yield* startOnce(chain.replace("{{ third.output }}", "{{ nobody }}"), [], {}, { who: "you" })
      expect(broken.outcome).toMatchObject({ _tag: "Failed", errorType: "TemplateError" })
      const mended = yield* startOnce(chain, broken.events)
      expect(stepsOf(mended.events)).toEqual([])
      expect(mended.outcome).toMatchObject({ _tag: "Completed" })
    })
  )

  const pause = `
workflow: { name: pause, entry_point: rest, limits: { timeout_seconds: 100 } }
agents:
  - { name: rest, type: wait, duration: 60s, routes: [{ to: $end }] }
output: { waited: "{{ rest.output.waited_seconds }}" }
`

  /** Starts, lets so many seconds pass, and gives what there is by then. */
  const startFor = (seconds: number, history: ReadonlyArray<RunEvent>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(start(pause, {}, history))
      yield* TestClock.adjust(`${seconds} seconds`)
      const isOver = Option.isSome(yield* Fiber.poll(fiber))
      const events = yield* recorded
      yield* Fiber.interrupt(fiber)
      return { isOver, events }
    }).pipe(Effect.provide(engineFor()))

  it.effect("waits for what is left of a wait, however often it was cut off", () =>
    Effect.gen(function* () {
      const first = yield* startFor(20, [])
      expect(typesOf(first.events).at(-1)).toBe("wait_started")
      yield* TestClock.adjust("10 seconds")
      const second = yield* startFor(15, first.events)
      expect(second.isOver).toBe(false)
      const history = [...first.events, ...second.events]
      expect((yield* startFor(14, history)).isOver).toBe(false)
      const third = yield* startFor(1, history)
      expect(third.isOver).toBe(true)
      expect(dataOf(third.events, "wait_completed")).toMatchObject({ requested_seconds: 60, waited_seconds: 60 })
    })
  )

  it.effect("does not wait any more when the time has passed meanwhile", () =>
    Effect.gen(function* () {
      const first = yield* startFor(20, [])
      yield* TestClock.adjust("1 hour")
      expect((yield* startFor(0, first.events)).isOver).toBe(true)
    })
  )
})
