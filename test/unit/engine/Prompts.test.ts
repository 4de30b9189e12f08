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
