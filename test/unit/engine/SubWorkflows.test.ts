/** Sub-workflows: what they share with their parent, how they fail, and how they go on after a crash. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { EventSink } from "../../../src/engine/EventSink.ts"
import { makeJournal } from "../../../src/engine/Journal.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { makeOpenSessions } from "../../../src/engine/OpenSessions.ts"
import { initialState } from "../../../src/engine/State.ts"
import { runWorkflow } from "../../../src/engine/WorkflowRun.ts"
import { engineFor, planOf, recorded, start, typesOf } from "./RunText.ts"

const parent = (step = "", runtime = "{}"): string => `
workflow: {name: w, entry_point: s, runtime: ${runtime}, input: {n: {type: number, default: 4}}}
agents: [{name: s, type: workflow, workflow: child, ${step}}]
output: {r: "{{ s.output | tojson }}"}
`

const child = `
workflow: {name: c, entry_point: a, input: {n: {type: number, default: 1}}}
agents: [{name: a, type: set, value: "{{ workflow.input.n + 1 }}", routes: [{to: b}]}, {name: b, prompt: "{{ a.output }}"}]
output: {r: "{{ b.output.result }}"}
`

describe("a sub-workflow", () => {
  it.effect("that was cut off goes on inside, and repeats none of its steps", () =>
    Effect.gen(function* () {
      yield* start(parent())
      const events = yield* recorded
      const inside = events.findIndex(({ type }) => type === "set_completed")
      const plan = yield* planOf(parent())
      const state = events.slice(0, inside + 1).reduce(evolve, initialState(10))
      const resumed = yield* Effect.gen(function* () {
        const journal = yield* makeJournal(yield* EventSink, state)
        const request = { runId: "test", plan, inputs: {}, metadata: {} }
        const openSessions = yield* makeOpenSessions
        const remaining = Effect.succeed(Infinity)
        yield* runWorkflow({ runId: "test", request, journal, openSessions, remaining, path: [] })
        return { types: typesOf(yield* recorded), phase: (yield* journal.state).phase }
      }).pipe(Effect.provide(layerMemory))
      expect(resumed.types).not.toContain("set_started")
      expect(resumed.types).not.toContain("workflow_started")
      expect(resumed.phase).toMatchObject({ ending: { output: { r: { r: 5 } } } })
    }).pipe(Effect.provide(engineFor({ workflows: { child } })))
  )

  it.effect("has the models of the root and not its own", () =>
    Effect.gen(function* () {
      yield* start(parent("", "{default_model: big}"))
      const { all } = yield* ScriptedCalls
      expect((yield* all).map(({ request }) => request.model)).toEqual(["big"])
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: { child: child.replace("entry_point: a,", "entry_point: a, runtime: {default_model: small},") }
        })
      )
    )
  )

  it.effect("that ends itself as failed is a failed step, and no explicit end, of its parent", () =>
    Effect.gen(function* () {
      const outcome = yield* start(parent())
      expect(outcome).toMatchObject({ _tag: "Failed", errorType: "SubworkflowTerminatedError", step: "s" })
      const last = (yield* recorded).at(-1)
      expect(last?.type).toBe("workflow_failed")
      expect(last?.data).not.toHaveProperty("is_explicit")
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: {
            child:
              "workflow: {name: c, entry_point: t}\nagents: [{name: t, type: terminate, status: failed, reason: no}]\n"
          }
        })
      )
    )
  )

  it.effect(
    "that ended itself as completed is not run again when the log was cut off before its parent heard of it",
    () =>
      Effect.gen(function* () {
        yield* start(parent())
        const events = yield* recorded
        const inside = events.findIndex(({ data, type }) => type === "workflow_completed" && data.subworkflow_path)
        const history = events.slice(0, inside + 1)
        const outcome = yield* start(parent(), {}, history)
        expect(outcome).toMatchObject({ _tag: "Completed", output: { r: { x: 1 } } })
        const added = typesOf((yield* recorded).slice(events.length))
        expect(added).toEqual([
          "workflow_started",
          "agent_started",
          "subworkflow_completed",
          "route_taken",
          "workflow_completed"
        ])
      }).pipe(
        Effect.provide(
          engineFor({
            workflows: {
              child:
                "workflow: {name: c, entry_point: t}\n" +
                "agents: [{name: t, type: terminate, status: success, reason: done, output_template: {x: '1'}}]\n"
            }
          })
        )
      )
  )

  it.effect("that needs what cannot be run makes the whole run be refused, with the way to the step", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(start(parent()))
      expect(error.message).toContain("s/g: session_key is not for provider 'copilot'")
      expect(yield* recorded).toEqual([])
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: {
            child: "workflow: {name: c, entry_point: g}\nagents: [{name: g, prompt: ok?, session_key: k}]\n"
          }
        })
      )
    )
  )

  it.effect("stops at the depth that its step allows", () =>
    Effect.gen(function* () {
      const outcome = yield* start(parent("max_depth: 1"))
      expect(outcome).toMatchObject({ errorType: "ExecutionError" })
      expect(outcome._tag === "Failed" && outcome.message).toContain("depth limit exceeded (1)")
    }).pipe(Effect.provide(engineFor({ workflows: { child: parent("max_depth: 1") } })))
  )

  it.effect("of two items with one key are two sub-workflows", () =>
    Effect.gen(function* () {
      const text = `
workflow: {name: w, entry_point: f, input: {l: {type: array, default: [{k: a, n: 1}, {k: a, n: 2}]}}}
agents: []
for_each:
  - {name: f, type: for_each, source: workflow.input.l, as: it, key_by: k,
     agent: {name: x, type: workflow, workflow: child, input_mapping: {n: "{{ it.n }}"}}}
output: {r: "{{ f.outputs | tojson }}", n: "{{ f.count }}"}
`
      expect(yield* start(text)).toMatchObject({ output: { r: { a: { r: 3 } }, n: 2 } })
      const slots = (yield* recorded).flatMap(({ data, type }) =>
        type === "subworkflow_started" ? [data.slot_key] : []
      )
      expect(slots).toEqual(["f[a]", "f[a]#1"])
    }).pipe(Effect.provide(engineFor({ workflows: { child } })))
  )
})
