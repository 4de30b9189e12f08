import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { unsupportedSteps } from "../../../src/language/UnsupportedSteps.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

const planOf = (text: string) =>
  Effect.map(loadWorkflowText(text), compilePlan).pipe(Effect.provide(languagePlatform()))

const HEAD = "workflow: {name: t, entry_point: a}\n"

describe("a plan", () => {
  it.effect("has a node of its kind for every step and group, with defaults filled in", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(`${HEAD}agents:
  - {name: a, prompt: Hi, routes: [{to: s}]}
  - {name: s, type: script, command: echo, args: [x]}
  - {name: v, type: set, value: "1"}
  - {name: m, type: set, values: {x: "1"}}
  - {name: w, type: wait, duration: 5s}
  - {name: t, type: terminate, status: success, reason: done}
  - {name: q, type: questions, source: a.output.list}
  - {name: c, type: workflow, workflow: child.yaml}
  - {name: g, type: human_gate, prompt: ok?, options: [{label: y, value: y, route: $end}]}
parallel:
  - {name: p, agents: [a, v]}
for_each:
  - {name: f, type: for_each, source: a.output.list, as: item, agent: {name: x, prompt: Hi}}
`)
      expect([...plan.nodes.values()].map(({ kind, name }) => [name, kind])).toEqual([
        ["a", "agent"],
        ["s", "script"],
        ["v", "set"],
        ["m", "set"],
        ["w", "wait"],
        ["t", "terminate"],
        ["q", "questions"],
        ["c", "workflow"],
        ["g", "human_gate"],
        ["p", "parallel"],
        ["f", "for_each"]
      ])
      expect(plan.nodes.get("s")).toEqual({
        kind: "script",
        name: "s",
        input: [],
        routes: [],
        place: ["agents", 1],
        command: "echo",
        args: ["x"],
        env: {}
      })
      expect(plan.nodes.get("v")).toMatchObject({ binding: { _tag: "Single", value: "1", output_type: "auto" } })
      expect(plan.nodes.get("m")).toMatchObject({ binding: { _tag: "Several", values: { x: "1" } } })
      expect(plan.nodes.get("q")).toMatchObject({ allow_back: true, allow_abort: false, abort_route: "$end" })
      expect(plan.nodes.get("p")).toMatchObject({ members: [{ name: "a" }, { name: "v" }], failure_mode: "fail_fast" })
      expect(plan.nodes.get("f")).toMatchObject({
        step: { name: "x", place: ["for_each", 0, "agent"] },
        max_concurrent: 10
      })
    })
  )

  it.effect("takes the first of two steps of one name, and a group before a step", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(`${HEAD}agents:
  - {name: a, prompt: one}
  - {name: a, prompt: two}
  - {name: b}
for_each:
  - {name: b, type: for_each, source: a.output.list, as: item, agent: {name: x}}
`)
      expect(plan.nodes.get("a")).toMatchObject({ prompt: { template: "one" } })
      expect(plan.nodes.get("b")).toMatchObject({ kind: "for_each" })
    })
  )
})

describe("a start is refused", () => {
  it.effect("for groups with members that cannot be members, and not for steps that ask a person", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(`${HEAD}agents:
  - {name: a}
  - {name: b, type: script, command: x}
  - {name: g, type: human_gate, prompt: ok?, options: [{label: y, value: y, route: $end}]}
parallel: [{name: p, agents: [a, b]}]
`)
      expect(unsupportedSteps(plan).map(({ step }) => step)).toEqual(["p"])
    })
  )

  it.effect("never for a workflow of local steps, tool calls and agents", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(`${HEAD}agents:
  - {name: m, type: mcp, server: x, tool: y}
  - {name: a, prompt: Hi, output: {x: {type: string}}, retry: {max_attempts: 3}, routes: [{to: s}]}
  - {name: b, dialog: {trigger_prompt: t}, session_key: k, tools: [search]}
  - {name: s, type: script, command: echo}
tools: [search]
`)
      expect(unsupportedSteps(plan)).toEqual([])
    })
  )
})
