/** Steps that talk with a person about their answer before it counts. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import type { AgentScript } from "../../../src/agents/ScriptedResponse.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { checkAnswer, type GateAnswer, type OpenGate } from "../../../src/domain/Gate.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { HumanGateError } from "../../../src/engine/EngineErrors.ts"
import { People } from "../../../src/engine/People.ts"
import { dataOf, engineFor, planOf, recorded, start, typesOf } from "./RunText.ts"

const text = `
workflow: {name: w, entry_point: a, runtime: {provider: openai, default_model: m}}
agents:
  - {name: a, prompt: task, dialog: {trigger_prompt: if unsure}, routes: [{to: b}]}
  - {name: b, prompt: "got {{ a.output.result }}"}
output: {r: "{{ b.output.result }}"}
`

const wanted = { trigger: true, reason: "unsure", question: "Which one?" }

const said = (message: string): GateAnswer => ({ selected: "reply", additionalInput: { message } })
const chosen = (selected: string): GateAnswer => ({ selected, additionalInput: {} })

/** Answers each prompt with what is meant for it, like an inbox that is read from its beginning. */
const answering = (answers: ReadonlyArray<GateAnswer>, asked: Array<OpenGate> = []) =>
  Layer.succeed(People, {
    ask: ({ gate }) =>
      Effect.suspend(() => {
        asked.push(gate)
        const answer = answers[Number(gate.promptId.split(":").at(-1)) - 1]
        return answer === undefined
          ? Effect.fail(new HumanGateError({ message: "everybody has left" }))
          : Effect.succeed(answer)
      })
  })

const calls = Effect.flatMap(ScriptedCalls, ({ all }) => Effect.map(all, (made) => made.map(({ request }) => request)))

const running = (
  script: AgentScript,
  answers: ReadonlyArray<GateAnswer>,
  history: ReadonlyArray<RunEvent> = [],
  asked: Array<OpenGate> = []
) =>
  Effect.gen(function* () {
    const outcome = yield* start(text, {}, history)
    return { outcome, events: yield* recorded, calls: yield* calls }
  }).pipe(Effect.provide(Layer.merge(engineFor({ script }), answering(answers, asked))))

const talk = {
  a: ["first", "second"],
  "a (dialog evaluator)": [wanted],
  "a (dialog)": ["So be it. [READY_TO_CONTINUE]"]
}

describe("a step with a dialog", () => {
  it.effect("that is not wanted gives its answer at once, and the verdict has its cost", () =>
    Effect.gen(function* () {
      const { calls, events, outcome } = yield* running(
        { a: "sure", "a (dialog evaluator)": [{ trigger: false, reason: "clear", question: "" }] },
        []
      )
      expect(outcome).toEqual({ _tag: "Completed", output: { r: "got sure" } })
      expect(dataOf(events, "dialog_evaluated")).toMatchObject({ trigger: false, reason: "clear", errored: false })
      expect(calls[1]).toMatchObject({ model: "m", systemPrompt: expect.stringContaining("if unsure") })
      expect(calls[1]?.prompt).toContain("sure")
      expect(typesOf(events)).not.toContain("dialog_started")
    })
  )

  it.effect("talks until the person agrees, and then answers once more with all that was said", () =>
    Effect.gen(function* () {
      const asked: Array<OpenGate> = []
      const { calls, events, outcome } = yield* running(talk, [said("the blue one"), said(" Yes ")], [], asked)
      expect(outcome).toEqual({ _tag: "Completed", output: { r: "got second" } })
      expect(asked.map(({ prompt }) => prompt)).toEqual(["Which one?", "So be it."])
      expect(asked.map(({ options }) => options.map(({ value }) => value))).toEqual([
        ["reply", "continue", "decline"],
        ["reply", "continue"]
      ])
      const [, , spoken, again] = calls
      expect(spoken?.history).toEqual([{ prompt: expect.stringContaining('"first"'), reply: "Which one?" }])
      expect(spoken?.prompt).toBe("the blue one")
      expect(again?.prompt).toMatch(/^task\n\n\[Conversation with the user\]/)
      expect(again?.prompt).toContain("You: Which one?\n\nUser: the blue one\n\nYou: So be it.")
      expect(dataOf(events, "dialog_completed")).toMatchObject({
        turn_count: 1,
        user_dismissed: true,
        agent_proposed_continue: true
      })
      expect(typesOf(events)).toContain("agent_output_discarded")
    })
  )

  it.effect("gives its first answer when the person declines, or has nothing to say", () =>
    Effect.gen(function* () {
      for (const answer of [chosen("decline"), chosen("continue"), said("Go ahead")]) {
        const { calls, events, outcome } = yield* running(talk, [answer])
        expect(outcome).toMatchObject({ output: { r: "got first" } })
        expect(calls.map(({ step }) => step)).toEqual(["a", "a (dialog evaluator)", "b"])
        const end = dataOf(events, "dialog_completed")
        expect([end?.user_declined, end?.user_dismissed]).toEqual(
          answer.selected === "decline" ? [true, false] : [undefined, true]
        )
      }
    })
  )

  it.effect("asks the same again when an answer was empty", () =>
    Effect.gen(function* () {
      const { events } = yield* running(talk, [said("  "), chosen("decline")])
      expect(typesOf(events).filter((type) => type === "gate_presented")).toHaveLength(2)
      expect(dataOf(events, "dialog_completed")).toMatchObject({ turn_count: 0 })
    })
  )

  it.effect("does without a talk when nobody can be asked, and when the verdict or the agent fails", () =>
    Effect.gen(function* () {
      const failing = { error: { message: "down" } }
      const alone = yield* running(talk, [])
      expect(alone.outcome).toMatchObject({ output: { r: "got first" } })
      expect(dataOf(alone.events, "dialog_completed")).toMatchObject({ error: "everybody has left" })
      const unclear = yield* running({ ...talk, "a (dialog evaluator)": [{ trigger: "perhaps" }] }, [])
      expect(dataOf(unclear.events, "dialog_evaluated")).toMatchObject({ trigger: false, errored: true })
      const speechless = yield* running({ ...talk, "a (dialog)": [failing] }, [said("the blue one")])
      expect(speechless.outcome).toMatchObject({ output: { r: "got first" } })
      const stubborn = yield* running({ ...talk, a: ["first", failing] }, [said("blue"), chosen("continue")])
      expect(stubborn.outcome).toMatchObject({ output: { r: "got first" } })
      expect(dataOf(stubborn.events, "run_warning")?.warning).toContain("first answer stands: down")
    })
  )

  it.effect("asks neither the person nor the evaluator when gates are skipped", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(text)
      const engine = yield* Engine
      yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {}, gates: "skip" })
      expect((yield* calls).map(({ step }) => step)).toEqual(["a", "b"])
    }).pipe(Effect.provide(engineFor({ script: talk })))
  )

  it.effect("is graded after the talk", () =>
    Effect.gen(function* () {
      yield* start(text.replace("dialog:", "validator: {criteria: c}, dialog:"))
      expect((yield* calls).map(({ step }) => step)).toEqual([
        "a",
        "a (dialog evaluator)",
        "a (dialog)",
        "a",
        "a (validator)",
        "b"
      ])
    }).pipe(
      Effect.provide(
        Layer.merge(
          engineFor({ script: { ...talk, "a (validator)": [{ passed: true, issues: [] }] } }),
          answering([said("blue"), chosen("continue")])
        )
      )
    )
  )

  it.effect("that was cut off anywhere goes on with what was said, and asks nothing twice", () =>
    Effect.gen(function* () {
      const answers = [said("the blue one"), said("really"), chosen("continue")]
      const script = { ...talk, a: "same" }
      const whole = yield* running(script, answers)
      const began = whole.events.findIndex(({ type }) => type === "dialog_started")
      for (let length = began + 1; length < whole.events.length; length++) {
        const kept = whole.events.slice(0, length)
        const resumed = yield* running(script, answers, kept)
        expect(resumed.outcome).toEqual(whole.outcome)
        const told = [...kept, ...resumed.events].filter(({ type }) => /^(dialog|gate)_/.test(type))
        expect(told.map(({ data, type }) => ({ data, type }))).toEqual(
          whole.events.filter(({ type }) => /^(dialog|gate)_/.test(type)).map(({ data, type }) => ({ data, type }))
        )
      }
    })
  )
})

describe("a dialog in a sub-workflow", () => {
  it.effect("has prompts of its own", () =>
    Effect.gen(function* () {
      const asked: Array<OpenGate> = []
      const outcome = yield* start(
        "workflow: {name: w, entry_point: s}\nagents: [{name: s, type: workflow, workflow: child}]\noutput: {r: '{{ s.output.r }}'}\n"
      ).pipe(
        Effect.provide(
          Layer.merge(
            engineFor({ script: talk, workflows: { child: text } }),
            answering([said("blue"), chosen("continue")], asked)
          )
        )
      )
      expect(outcome).toMatchObject({ output: { r: "got second" } })
      expect(asked.map(({ promptId }) => promptId)).toEqual(["s/a:test:1", "s/a:test:2"])
      const [first] = asked
      expect(first === undefined ? undefined : Either.isLeft(checkAnswer(first, chosen("reply")))).toBe(true)
    })
  )
})
