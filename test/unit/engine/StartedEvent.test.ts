/** What the first event of a workflow tells, so that it can be drawn without its files. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Engine } from "../../../src/engine/Engine.ts"
import { dataOf, engineFor, planOf, recorded, start } from "./RunText.ts"

const calling = (...references: ReadonlyArray<string>): string =>
  `workflow: {name: w, entry_point: s0}\nagents:\n` +
  references.map((reference, index) => `  - {name: s${index}, type: workflow, workflow: ${reference}}\n`).join("")

const child = `
workflow: {name: c, entry_point: a}
agents: [{name: a, prompt: p, model: m, routes: [{to: b, when: "{{ true }}"}]}, {name: b, type: set, value: "1"}]
for_each: [{name: f, type: for_each, source: a.output.list, as: i, agent: {name: x, prompt: p}}]
`

/** The `agents` of the first event. */
const started = Effect.map(recorded, (events) => dataOf(events, "workflow_started"))

describe("the start of a workflow", () => {
  it.effect("holds the nodes and routes of its sub-workflows, with what they inherit", () =>
    Effect.gen(function* () {
      yield* start(calling("child").replace("s0}", "s0, runtime: {provider: claude}}"))
      expect((yield* started)?.agents).toEqual([
        {
          name: "s0",
          type: "workflow",
          model: null,
          provider_name: null,
          reasoning_effort: null,
          context_tier: null,
          subworkflow: {
            name: "c",
            entry_point: "a",
            agents: [
              {
                name: "a",
                type: "agent",
                model: "m",
                provider_name: "claude",
                reasoning_effort: null,
                context_tier: null
              },
              { name: "b", type: "set", model: null, provider_name: null, reasoning_effort: null, context_tier: null }
            ],
            parallel_groups: [],
            for_each_groups: [
              {
                name: "f",
                source: "a.output.list",
                agent: "x",
                type: "agent",
                max_concurrent: 10,
                failure_mode: "fail_fast"
              }
            ],
            routes: [{ from: "a", to: "b", when: "{{ true }}" }]
          }
        }
      ])
    }).pipe(Effect.provide(engineFor({ workflows: { child } })))
  )

  it.effect("holds none where there is none, and none that is inside itself", () =>
    Effect.gen(function* () {
      yield* start(calling("self", "lost"))
      expect((yield* started)?.agents).toMatchObject([
        { subworkflow: { agents: [{ subworkflow: null }] } },
        { subworkflow: null }
      ])
    }).pipe(Effect.provide(engineFor({ workflows: { self: calling("self") } })))
  )

  it.effect("stays small when workflows call each other many times", () =>
    Effect.gen(function* () {
      yield* start(calling("l0"))
      expect(JSON.stringify((yield* started)?.agents).match(/entry_point/g)).toHaveLength(100)
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: Object.fromEntries(
            Array.from({ length: 8 }, (_, level) => {
              const next = `l${level + 1}`
              return [`l${level}`, level === 7 ? child : calling(next, next, next)]
            })
          )
        })
      )
    )
  )

  it.effect("says which providers it may use, and which of them are there", () =>
    Effect.gen(function* () {
      const text =
        "workflow: {name: w, entry_point: a}\nagents: [{name: a, type: set, value: '1'}, {name: b, prompt: p, provider: hermes}]\n"
      yield* start(text)
      expect((yield* started)?.providers).toMatchObject({
        copilot: { name: "copilot", status: "ok", tier: "stable", upstream_pin: null, maintainer: null },
        hermes: { name: "hermes", tier: "experimental" }
      })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("of a root names its log and has its text; that of a sub-workflow has neither", () =>
    Effect.gen(function* () {
      const engine = yield* Engine
      const plan = yield* planOf(calling("child"))
      const request = { runId: "test", plan, inputs: {}, metadata: {}, logFile: "/log", source: "text" }
      yield* engine.run(request)
      const starts = (yield* recorded).filter(({ type }) => type === "workflow_started")
      expect(starts).toMatchObject([
        { data: { run_id: "test", log_file: "/log", yaml_source: "text" } },
        { data: { run_id: "", log_file: "", subworkflow_path: ["s0"] } }
      ])
      expect(starts[1]?.data).not.toHaveProperty("yaml_source")
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: { child: "workflow: {name: c, entry_point: a}\nagents: [{name: a, type: set, value: '1'}]\n" }
        })
      )
    )
  )
})
