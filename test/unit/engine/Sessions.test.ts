/** Steps that go on with one conversation under a `session_key`. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ScriptedAgents, ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { engineFor, recorded, start, typesOf, type Setting } from "./RunText.ts"

const histories = Effect.flatMap(ScriptedCalls, ({ all }) =>
  Effect.map(all, (calls) => calls.map(({ request: { history, step } }) => ({ step, history })))
)

const running = (text: string, setting: Setting = {}, history: Parameters<typeof start>[2] = []) =>
  Effect.gen(function* () {
    const outcome = yield* start(text, {}, history)
    return { outcome, events: yield* recorded, histories: yield* histories }
  }).pipe(Effect.provide(engineFor(setting)))

const head = "workflow: {name: w, entry_point: a, instructions: [be brief], runtime: {provider: openai}}\n"

const handover = `${head}
agents:
  - {name: a, session_key: k, prompt: one, output: {n: {type: number}}, routes: [{to: b}]}
  - {name: b, prompt: alone, routes: [{to: c}]}
  - {name: c, session_key: k, working_dir: /, prompt: elsewhere, routes: [{to: d}]}
  - {name: d, session_key: k, prompt: "two {{ b.output.result }}"}
`
const script = { a: [{ n: 1 }], b: "B", c: "C", d: "D" }
const first = { prompt: "one", reply: '{"n":1}' }

describe("a session", () => {
  it.effect("is told to the steps of the same key and directory, without what was put around the prompts", () =>
    Effect.gen(function* () {
      const { histories } = yield* running(handover, { script })
      expect(histories).toEqual([
        { step: "a", history: undefined },
        { step: "b", history: undefined },
        { step: "c", history: undefined },
        { step: "d", history: [first] }
      ])
    })
  )

  it.effect("goes on in a run that was cut off", () =>
    Effect.gen(function* () {
      const { events } = yield* running(handover, { script })
      const cut = events.slice(0, typesOf(events).lastIndexOf("agent_started") + 1)
      const resumed = yield* running(handover, { script }, cut)
      expect(resumed.histories).toEqual([{ step: "d", history: [first] }])
    })
  )

  it.effect("goes on through a loop, and from one item of a group to the next", () =>
    Effect.gen(function* () {
      const loop = `${head}
agents: [{name: a, session_key: k, prompt: "n{{ context.iteration }}", routes: [{to: a, when: "{{ context.iteration < 3 }}"}, {to: f}]}]
for_each:
  - {name: f, type: for_each, source: workflow.input.list, as: it, max_concurrent: 1, agent: {name: i, session_key: k, prompt: "{{ it }}"}}
`.replace("instructions:", "input: {list: {type: array, default: [x, y]}}, instructions:")
      const { histories } = yield* running(loop, { script: { a: "A", i: "I" } })
      expect(histories.map(({ history = [] }) => history.map(({ prompt }) => prompt))).toEqual([
        [],
        ["n0"],
        ["n0", "n1"],
        ["n0", "n1", "n2"],
        ["n0", "n1", "n2", "x"]
      ])
    })
  )

  it.effect("is known to sub-workflows, and goes on behind them", () =>
    Effect.gen(function* () {
      const child = `workflow: {name: c, entry_point: x}\nagents: [{name: x, session_key: k, prompt: below}]\n`
      const parent = `${head}
agents:
  - {name: a, session_key: k, prompt: above, routes: [{to: s}]}
  - {name: s, type: workflow, workflow: child, routes: [{to: z}]}
  - {name: z, session_key: k, prompt: after}
`
      const { histories } = yield* running(parent, { script: { a: "A", x: "X" }, workflows: { child } })
      expect(histories.map(({ history = [] }) => history.map(({ prompt, reply }) => prompt + reply))).toEqual([
        [],
        ["aboveA"],
        ["aboveA", "belowX"]
      ])
    })
  )

  it.effect("that is in use refuses a second step that wants it at the same time", () =>
    Effect.gen(function* () {
      const text = `
workflow: {name: w, entry_point: p, runtime: {provider: openai}}
agents: [{name: m, session_key: k, prompt: x}, {name: n, session_key: k, prompt: x}]
parallel: [{name: p, agents: [m, n]}]
`
      const script = { m: [ScriptedAgents.reply("late", { after: 1 })] }
      const { outcome } = yield* running(text, { script })
      expect(outcome).toMatchObject({ _tag: "Failed", message: expect.stringContaining('session ["k",') })
    })
  )
})

describe("a step", () => {
  it.effect("that wants what its provider has not is refused with the providers that have it", () =>
    Effect.gen(function* () {
      const text = `
workflow: {name: w, entry_point: a, runtime: {provider: openai, skill_discovery: {sources: [project]}}}
agents:
  - {name: a, prompt: x, sandbox: {}, skills: []}
  - {name: b, prompt: x, reasoning: {effort: max}, skills: []}
  - {name: c, prompt: x}
`
      const { message } = yield* Effect.flip(start(text))
      expect(message).toContain("a: sandbox is not for provider 'openai' but for aca; remove it")
      expect(message).toContain(
        "b: the reasoning effort 'max' is not for provider 'openai' but for copilot, claude, aca;"
      )
      expect(message).toContain("c: skill_discovery is not for provider 'openai'")
    }).pipe(Effect.provide(engineFor()))
  )
})
