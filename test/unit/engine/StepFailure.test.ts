/** A node that fails says so by `agent_failed`, whatever its kind, once, and before the workflow does. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { evolve } from "../../../src/engine/Evolve.ts"
import { initialState } from "../../../src/engine/State.ts"
import { engineFor, recorded, start, typesOf } from "./RunText.ts"

const failing = (fields: string): string =>
  `workflow: {name: w, entry_point: a, context: {mode: explicit}}\nagents: [{name: a, ${fields}}]\n`

/** Per kind of node: what fails, and the events behind `workflow_started` that tell of it. */
const kinds: ReadonlyArray<readonly [kind: string, fields: string, told: ReadonlyArray<string>]> = [
  ["agent", "prompt: p", ["agent_started", "agent_prompt_rendered", "agent_failed"]],
  ["agent", "prompt: p, input: [nobody.output]", ["agent_failed"]],
  [
    "script",
    "type: script, command: '{{ nobody }}'",
    ["agent_started", "script_started", "script_failed", "agent_failed"]
  ],
  ["set", "type: set, value: '{{ nobody }}'", ["agent_started", "set_started", "set_failed", "agent_failed"]],
  ["wait", "type: wait, duration: '{{ nobody }}'", ["agent_started", "wait_started", "wait_failed", "agent_failed"]],
  ["terminate", "type: terminate, status: failed, reason: '{{ nobody }}'", ["agent_started", "agent_failed"]],
  [
    "terminate",
    "type: terminate, status: success, reason: r, output_template: {x: '{{ nobody }}'}",
    ["agent_started", "agent_failed"]
  ],
  [
    "human_gate",
    "type: human_gate, prompt: ok, options: [{label: Yes, value: y, route: $end}]",
    ["agent_started", "gate_presented", "agent_failed"]
  ],
  [
    "human_gate",
    "type: human_gate, prompt: '{{ nobody }}', options: [{label: Yes, value: y, route: $end}]",
    ["agent_started", "agent_failed"]
  ],
  [
    "questions",
    "type: questions, questions: [{text: Who?}]",
    ["agent_started", "questions_presented", "gate_presented", "agent_failed"]
  ],
  [
    "workflow",
    "type: workflow, workflow: child",
    [
      "agent_started",
      "subworkflow_started",
      "workflow_started",
      "agent_started",
      "set_started",
      "set_failed",
      "agent_failed",
      "workflow_failed",
      "subworkflow_failed",
      "agent_failed"
    ]
  ]
]

const child = failing("type: set, value: '{{ nobody }}'")
const script = {
  a: [{ error: { message: "down" } }],
  m: [{ error: { message: "down" } }],
  n: [{ error: { message: "down" } }]
}

const told = Effect.map(recorded, (events) => {
  const types = typesOf(events)
  const last = events.findLast(({ type }) => type === "agent_failed")
  return { types: types.slice(1, -1), end: types.at(-1), last: last?.data, failure: events.at(-1)?.data }
})

describe("a step that fails", () => {
  it.effect.each(kinds)("of type %s (%s) tells it itself, too", ([kind, fields, types]) =>
    Effect.gen(function* () {
      yield* start(failing(fields))
      const { end, failure, last, types: actual } = yield* told
      expect(actual).toEqual(types)
      expect(end).toBe("workflow_failed")
      const { error_type, message } = failure as { readonly error_type: string; readonly message: string }
      expect(last).toMatchObject({ agent_name: "a", agent_type: kind, error_type, message })
      expect(last?.subworkflow_path).toBeUndefined()
    }).pipe(Effect.provide(engineFor({ script, workflows: { child } })))
  )

  it.effect.each([
    ["parallel", "fail_fast", "parallel: [{name: g, agents: [m, n], failure_mode: fail_fast}]"],
    ["parallel", "all_or_nothing", "parallel: [{name: g, agents: [m, n], failure_mode: all_or_nothing}]"],
    [
      "for_each",
      "fail_fast",
      "for_each: [{name: g, type: for_each, source: workflow.input.l, as: x, failure_mode: fail_fast, agent: {name: m, prompt: p}}]"
    ],
    [
      "for_each",
      "without a source",
      "for_each: [{name: g, type: for_each, source: workflow.input.none, as: x, agent: {name: m, prompt: p}}]"
    ]
  ])("is in group %s (%s), of which the group tells", ([kind, , group]) =>
    Effect.gen(function* () {
      yield* start(
        `workflow: {name: w, entry_point: g, input: {l: {type: array, default: [1]}}}\nagents: [{name: m, prompt: p}, {name: n, prompt: p}]\n${group}\n`
      )
      const { end, last, types } = yield* told
      expect(types.filter((type) => type === "agent_failed")).toHaveLength(1)
      expect(types.at(-1)).toBe("agent_failed")
      expect(end).toBe("workflow_failed")
      expect(last).toMatchObject({ agent_name: "g", agent_type: kind, error_type: "ExecutionError" })
    }).pipe(Effect.provide(engineFor({ script })))
  )

  it.effect("keeps what a terminate step has stored, once", () =>
    Effect.gen(function* () {
      yield* start(failing("type: terminate, status: success, reason: r, output_template: {x: '{{ nobody }}'}"))
      const state = (yield* recorded).reduce(evolve, initialState(10))
      expect(state.history.toArray()).toEqual(["a"])
      expect(state.outputs.get("a")).toMatchObject({ reason: "r" })
    }).pipe(Effect.provide(engineFor()))
  )
})
