/** What the engine puts around an author's prompt, and what a validator does with the answer. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { ScriptedAgents, ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { Guidance } from "../../../src/engine/Guidance.ts"
import { dataOf, engineFor, recorded, start, typesOf } from "./RunText.ts"

const prompts = Effect.flatMap(ScriptedCalls, ({ all }) =>
  Effect.map(all, (calls) => calls.map(({ request }) => request.prompt))
)

/** Says one text each time it is asked, until there is none left. */
const saying = (...texts: ReadonlyArray<string>): Layer.Layer<never> =>
  Layer.effect(
    Guidance,
    Effect.map(Ref.make(texts), (left) => ({
      take: Ref.modify(left, ([text, ...rest]) => [text === undefined ? [] : [{ text, source: "cli" as const }], rest])
    }))
  )

describe("a prompt", () => {
  it.effect("begins with the instructions of the workflow and of all above it, wrapped once", () =>
    Effect.gen(function* () {
      yield* start(
        "workflow: {name: w, entry_point: s, instructions: [' be brief ', '  ']}\n" +
          "agents: [{name: s, type: workflow, workflow: child}]\n"
      )
      const [prompt = ""] = yield* prompts
      expect(prompt).toContain("be brief\n\n---\n\nbe kind\n</workspace_instructions>\n\ntask")
      expect(prompt.match(/<workspace_instructions>/g)).toHaveLength(1)
    }).pipe(
      Effect.provide(
        engineFor({
          workflows: {
            child: "workflow: {name: c, entry_point: a, instructions: [be kind]}\nagents: [{name: a, prompt: task}]\n"
          }
        })
      )
    )
  )

  it.effect("ends with everything that a person has said to the run so far, and the log keeps it", () =>
    Effect.gen(function* () {
      yield* start(
        "workflow: {name: w, entry_point: a}\nagents: [{name: a, prompt: one, routes: [{to: b}]}, {name: b, prompt: two}]\n"
      )
      const [first = "", second = ""] = yield* prompts
      expect(first).toMatch(/^one\n\n\[User Guidance\]\n.*\n- use French$/)
      expect(second).toMatch(/^two\n\n\[User Guidance\]\n.*\n- use French\n- be brief$/)
      expect(dataOf(yield* recorded, "guidance_applied")).toEqual({
        text: "use French",
        source: "cli",
        agent_name: "a"
      })
    }).pipe(Effect.provide([engineFor(), saying(" use French ", "be brief")]))
  )

  it.effect("hears in a sub-workflow and in a group, too, and all steps after it do", () =>
    Effect.gen(function* () {
      yield* start(
        "workflow: {name: w, entry_point: s, input: {l: {type: array, default: [1, 2]}}}\n" +
          "agents: [{name: s, type: workflow, workflow: child, routes: [{to: f}]}, {name: z, prompt: last}]\n" +
          "for_each: [{name: f, type: for_each, source: workflow.input.l, as: x, max_concurrent: 1, " +
          "agent: {name: m, prompt: 'item {{ x }}'}, routes: [{to: z}]}]\n"
      )
      const heard = (yield* prompts).map((prompt) => [prompt.split("\n")[0], prompt.match(/^- .*$/gm) ?? []])
      expect(heard).toEqual([
        ["below", ["- one", "- two"]],
        ["item 1", ["- one", "- two", "- three", "- four"]],
        ["item 2", ["- one", "- two", "- three", "- four", "- five"]],
        ["last", ["- one", "- two", "- three", "- four", "- five", "- six"]]
      ])
      const told = (yield* recorded).flatMap((event) => (event.type === "guidance_applied" ? [event.data] : []))
      expect(told).toEqual(
        Object.entries({ s: "one", a: "two", f: "three", "m[0]": "four", "m[1]": "five", z: "six" }).map(
          ([agent_name, text]) => ({ text, source: "cli", agent_name })
        )
      )
    }).pipe(
      Effect.provide([
        engineFor({
          workflows: { child: "workflow: {name: c, entry_point: a}\nagents: [{name: a, prompt: below}]\n" }
        }),
        saying("one", "two", "three", "four", "five", "six")
      ])
    )
  )

  it.effect("of a step that was cut off hears what was said meanwhile", () =>
    Effect.gen(function* () {
      const text = "workflow: {name: w, entry_point: a}\nagents: [{name: a, prompt: task}]\n"
      yield* start(text).pipe(Effect.provide(saying()))
      const events = yield* recorded
      const cutOff = events.slice(0, 1 + events.findIndex(({ type }) => type === "agent_started"))
      yield* start(text, {}, cutOff)
      expect(yield* prompts).toMatchObject(["task", expect.stringContaining("- hurry up")])
    }).pipe(Effect.provide([engineFor(), saying("hurry up")]))
  )
})

const graded =
  "workflow: {name: w, entry_point: a}\nagents: [{name: a, prompt: task, timeout_seconds: 5, validator: {criteria: c}}]\n"

describe("a validator", () => {
  it.live("that says nothing in time lets the output pass", () =>
    Effect.gen(function* () {
      const outcome = yield* start(graded.replace("timeout_seconds: 5", "timeout_seconds: 1"))
      expect(outcome._tag).toBe("Completed")
      expect(dataOf(yield* recorded, "agent_validator_complete")).toMatchObject({ passed: true, errored: true })
    }).pipe(
      Effect.provide(
        engineFor({ script: { "a (validator)": [ScriptedAgents.reply({ passed: false, issues: [] }, { after: 60 })] } })
      )
    )
  )

  it.effect("may say no as text, and the second answer is not graded again", () =>
    Effect.gen(function* () {
      yield* start(graded)
      const types = typesOf(yield* recorded)
      expect(types.filter((type) => type === "agent_validator_start")).toHaveLength(1)
      expect(dataOf(yield* recorded, "agent_completed")).toMatchObject({ output: { result: "second" } })
      expect((yield* prompts)[2]).toContain("- say please")
    }).pipe(
      Effect.provide(
        engineFor({
          script: { a: ["first", "second"], "a (validator)": ['{"passed": "false", "issues": ["say please"]}'] }
        })
      )
    )
  )

  it.effect("whose verdict makes no sense lets the output pass", () =>
    Effect.gen(function* () {
      yield* start(graded)
      expect(dataOf(yield* recorded, "agent_validator_complete")).toMatchObject({ passed: true, errored: true })
    }).pipe(Effect.provide(engineFor({ script: { "a (validator)": [{ passed: "perhaps" }] } })))
  )
})
