import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref } from "effect"
import type { AnswerRefused, GateAnswer, OpenGate } from "../../../src/domain/Gate.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { decide } from "../../../src/engine/Decider.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { HumanGateError } from "../../../src/engine/EngineErrors.ts"
import { People } from "../../../src/engine/People.ts"
import { evolve } from "../../../src/engine/Evolve.ts"
import { initialState } from "../../../src/engine/State.ts"
import { dataOf, engineFor, planOf, recorded, start, typesOf } from "./RunText.ts"

interface Asked {
  readonly gate: OpenGate
  readonly refused: ReadonlyArray<AnswerRefused>
}

/** Gives the answers in order, and keeps what was asked. */
const answering = (answers: ReadonlyArray<GateAnswer>, asked: Array<Asked> = []) =>
  Layer.effect(
    People,
    Effect.map(Ref.make(answers), (left) => ({
      ask: (question) =>
        Effect.flatMap(
          Effect.sync(() => void asked.push(question)),
          () =>
            Effect.flatMap(
              Ref.modify(left, ([first, ...rest]) => [first, rest]),
              (answer) =>
                answer === undefined
                  ? Effect.fail(new HumanGateError({ message: "everybody has left" }))
                  : Effect.succeed(answer)
            )
        )
    }))
  )

const pick = (selected: string, text?: string): GateAnswer => ({
  selected,
  additionalInput: text === undefined ? {} : { answer: text }
})

const gate = `
workflow: {name: w, entry_point: g}
agents:
  - name: g
    type: human_gate
    prompt: "One\\n\\n\\n\\nTwo"
    options: [{label: Yes, value: y, route: s}, {label: No, value: n, route: $end}]
  - {name: s, type: set, value: "'{{ g.output.selected }}'"}
output: {r: "{{ g.output.selected }}"}
`

const questions = (flags: string, list = "[{text: First, choices: [a, b]}, {text: Second}]"): string => `
workflow: {name: w, entry_point: q}
agents:
  - {name: q, type: questions, questions: ${list}, ${flags} routes: [{to: s}]}
  - {name: s, type: set, value: done}
  - {name: out, type: set, value: left}
output: {outcome: "{{ q.output.outcome }}", left: "{{ out is defined }}", done: "{{ s is defined }}"}
`

const running = (text: string, answers: ReadonlyArray<GateAnswer>, asked: Array<Asked> = []) =>
  Effect.all({ outcome: start(text), events: Effect.suspend(() => recorded) }).pipe(
    Effect.provide(Layer.merge(engineFor(), answering(answers, asked)))
  )

describe("a gate", () => {
  it.effect("that nobody can answer ends the run with the way out", () =>
    Effect.gen(function* () {
      expect(yield* start(gate)).toMatchObject({
        _tag: "Failed",
        errorType: "HumanGateError",
        step: "g",
        message: expect.stringContaining("--skip-gates")
      })
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("shows its prompt without the holes that templates leave", () =>
    Effect.gen(function* () {
      const { events } = yield* running(gate, [pick("n")])
      expect(dataOf(events, "gate_presented")).toMatchObject({ prompt: "One\n\nTwo", prompt_id: "g:test:1" })
    })
  )

  it.effect("that got a wrong answer warns, stays open, and asks for the next one", () =>
    Effect.gen(function* () {
      const asked: Array<Asked> = []
      const { events, outcome } = yield* running(gate, [pick("maybe"), pick("y", "surplus"), pick("y")], asked)
      expect(outcome).toEqual({ _tag: "Completed", output: { r: "y" } })
      expect(typesOf(events).filter((type) => type === "gate_presented")).toHaveLength(1)
      expect(typesOf(events).filter((type) => type === "run_warning")).toHaveLength(2)
      expect(asked.map(({ refused }) => refused.length)).toEqual([0, 1, 2])
      expect(asked.at(-1)?.refused[0]?.message).toContain("Valid answers: y (Yes), n (No).")
    })
  )

  it.effect("is open again in a fold of the log, with the same prompt", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<OpenGate>()
      const waiting = Layer.succeed(People, {
        ask: ({ gate }) => Effect.zipRight(Deferred.succeed(open, gate), Effect.never)
      })
      const run = yield* Effect.fork(Effect.provide(start(gate), waiting))
      const asked = yield* Deferred.await(open)
      const plan = yield* planOf(gate)
      const state = (yield* recorded).reduce(evolve, initialState(10))
      expect(decide(plan, state)).toEqual({ _tag: "ResolveGate", gate: asked })
      yield* Fiber.interrupt(run)
      expect(typesOf(yield* recorded).at(-1)).toBe("workflow_cancelled")
    }).pipe(Effect.provide(engineFor()))
  )
})

describe("questions", () => {
  it.effect("that are aborted lead to their own place, past all routes", () =>
    Effect.gen(function* () {
      const { events, outcome } = yield* running(questions("allow_abort: true, abort_route: out,"), [
        pick("a"),
        pick("__abort__")
      ])
      expect(outcome).toMatchObject({ output: { outcome: "aborted", left: true, done: false } })
      expect(dataOf(events, "questions_completed")).toMatchObject({ answered_count: 1, skipped_count: 0 })
      expect(dataOf(events, "route_taken")).toMatchObject({ from_agent: "q", to_agent: "out" })
    })
  )

  it.effect("without a way back end with the last answer and no review", () =>
    Effect.gen(function* () {
      const { outcome } = yield* running(questions("allow_back: false,"), [pick("b"), pick("__free_text__", "x")])
      expect(outcome).toMatchObject({ output: { outcome: "completed", done: true } })
    })
  )

  it.effect("that are none are done at once", () =>
    Effect.gen(function* () {
      const { events, outcome } = yield* running(
        `workflow: {name: w, entry_point: a}
agents:
  - {name: a, type: set, values: {list: "[]"}, routes: [{to: q}]}
  - {name: q, type: questions, source: a.output.list}
output: {any: "{{ q.output.answered_any }}"}`,
        []
      )
      expect(outcome).toEqual({ _tag: "Completed", output: { any: false } })
      expect(typesOf(events)).not.toContain("gate_presented")
    })
  )

  it.effect("do not offer what the step forbids", () =>
    Effect.gen(function* () {
      const asked: Array<Asked> = []
      yield* running(
        questions("allow_skip: false, allow_skip_all: false,", "[{text: First, choices: [a], allow_free_text: false}]"),
        [pick("__skip__"), pick("a"), pick("__finish__")],
        asked
      )
      expect(asked[0]?.gate.options.map(({ value }) => value)).toEqual(["a"])
      expect(asked[1]?.refused).toHaveLength(1)
    })
  )

  it.effect("refuse a choice that would be taken for a command", () =>
    Effect.gen(function* () {
      const { outcome } = yield* running(questions("", "[{text: First, choices: [__skip__]}]"), [])
      expect(outcome).toMatchObject({ errorType: "ExecutionError", message: expect.stringContaining("'__skip__'") })
    })
  )

  it.effect("are open again in a fold of any beginning of the log", () =>
    Effect.gen(function* () {
      const text = questions("")
      const answers = [pick("a"), pick("__back__"), pick("b"), pick("__skip__"), pick("__finish__")]
      const { events } = yield* running(text, answers)
      const plan = yield* planOf(text)
      const states = events.map((_, index) => events.slice(0, index + 1).reduce(evolve, initialState(10)))
      const commands = states.map((state) => decide(plan, state)?._tag)
      expect(commands.slice(0, -1)).not.toContain(undefined)
      expect(commands.at(-1)).toBeUndefined()
    }).pipe(Effect.provide(engineFor()))
  )
})

const asking = `
workflow: {name: w, entry_point: s}
agents: [{name: s, type: workflow, workflow: asked, routes: [{to: s, when: "{{ s.output.r == 'y' }}"}, {to: $end}]}]
output: {r: "{{ s.output.r }}"}
`

describe("a gate of a sub-workflow", () => {
  it.effect("is told apart from the one that the next round opens at the same place", () =>
    Effect.gen(function* () {
      const asked: Array<Asked> = []
      const outcome = yield* start(asking).pipe(
        Effect.provide(
          Layer.merge(engineFor({ workflows: { asked: gate } }), answering([pick("y"), pick("y"), pick("n")], asked))
        )
      )
      expect(outcome).toMatchObject({ output: { r: "n" } })
      expect(asked.map(({ gate }) => gate.promptId)).toEqual(["s/g:test:1", "s/g:test:2", "s/g:test:3"])
    })
  )

  it.effect("is passed like the others when nobody is asked", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(asking.replace("== 'y'", "== 'x'"))
      const outcome = yield* Effect.flatMap(Engine, (engine) =>
        engine.run({ runId: "test", plan, inputs: {}, metadata: {}, gates: "skip" })
      )
      expect(outcome).toMatchObject({ output: { r: "y" } })
    }).pipe(Effect.provide(engineFor({ workflows: { asked: gate } })))
  )
})

describe("a run in which nobody is asked", () => {
  it.effect("tells the gates that it passes, and asks no question", () =>
    Effect.gen(function* () {
      const engine = yield* Engine
      const plan = yield* planOf(
        gate
          .replace("route: s}", "route: q}")
          .replace(
            "  - {name: s",
            "  - {name: q, type: questions, questions: [{text: Must, required: true}]}\n  - {name: s"
          )
      )
      const outcome = yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {}, gates: "skip" })
      const events = yield* recorded
      expect(outcome).toMatchObject({ output: { r: "y" } })
      expect(typesOf(events).filter((type) => type === "gate_presented")).toHaveLength(1)
      expect(dataOf(events, "questions_completed")).toMatchObject({ outcome: "skipped_remaining", skipped_count: 1 })
    }).pipe(Effect.provide(engineFor()))
  )
})

describe("questions that were cut off", () => {
  /** Names itself, so that its own half-filled output must not be seen when it is asked again. */
  const twoQuestions = `
workflow: {name: w, entry_point: q}
agents: [{name: q, type: questions, questions: [{text: "One{{ ' again' if q is defined else '' }}"}, {text: Two}]}]
output: {a: "{{ q.output.answers | tojson }}"}
`
  const whole = { _tag: "Completed", output: { a: { q1: "first", q2: "second" } } }
  const asked = ({ events }: { readonly events: ReadonlyArray<RunEvent> }) =>
    events.flatMap((event) => (event.type === "gate_presented" ? [event.data] : []))

  const idsIn = (events: ReadonlyArray<RunEvent>) => [...new Set(asked({ events }).map(({ prompt_id }) => prompt_id))]

  const goOn = (text: string, history: ReadonlyArray<RunEvent>, answers: ReadonlyArray<GateAnswer>) =>
    Effect.all({ outcome: start(text, {}, history), events: Effect.suspend(() => recorded) }).pipe(
      Effect.provide(Layer.merge(engineFor(), answering(answers)))
    )

  const free = (text: string) => pick("__free_text__", text)
  const finish = pick("__finish__")

  it.effect("at any event are presented again, with the answers that there are and under the same prompt", () =>
    Effect.gen(function* () {
      const { events, outcome } = yield* goOn(twoQuestions, [], [free("first"), free("second"), finish])
      expect(outcome).toEqual(whole)
      for (let length = 2; length < events.length - 2; length += 1) {
        const cutOff = events.slice(0, length)
        const resolved = typesOf(cutOff).filter((type) => type === "gate_resolved").length
        const open = asked({ events: cutOff })[resolved]
        const left = [free("first"), free("second"), finish].slice(resolved)
        const resumed = yield* goOn(twoQuestions, cutOff, left)
        expect({ length, outcome: resumed.outcome }).toEqual({ length, outcome: whole })
        if (open !== undefined) expect(asked(resumed)[0]).toEqual({ ...open, again: true })
        // As if nothing had happened: whoever answers later prompts need not know of it.
        expect(idsIn([...cutOff, ...resumed.events])).toEqual(idsIn(events))
      }
    })
  )

  it.effect("keep the answers up to the first question that is another one now", () =>
    Effect.gen(function* () {
      const left = yield* goOn(twoQuestions, [], [free("first"), free("second")])
      expect(left.outcome).toMatchObject({ errorType: "HumanGateError" })
      const changed = twoQuestions.replace("text: Two", "text: Other")
      const resumed = yield* goOn(changed, left.events, [free("third"), finish])
      expect(resumed.outcome).toEqual({ _tag: "Completed", output: { a: { q1: "first", q2: "third" } } })
      const longer = twoQuestions.replace("{text: Two}", "{text: Two}, {text: Three}")
      const more = yield* goOn(longer, left.events, [free("third"), finish])
      expect(more.outcome).toEqual({ _tag: "Completed", output: { a: { q1: "first", q2: "second", q3: "third" } } })
    })
  )

  it.effect("keep the open prompt when only later questions have changed", () =>
    Effect.gen(function* () {
      const left = yield* goOn(twoQuestions, [], [])
      const [open] = asked(left)
      for (const later of ["{text: Other}", "{text: Two}, {text: Three}"]) {
        const resumed = yield* goOn(twoQuestions.replace("{text: Two}", later), left.events, [])
        expect(asked(resumed)[0]?.prompt_id).toBe(open?.prompt_id)
      }
      const shorter = yield* goOn(twoQuestions.replace(", {text: Two}", ""), left.events, [])
      expect(asked(shorter)[0]?.prompt_id).toBe(open?.prompt_id)
      const other = yield* goOn(twoQuestions.replace("One", "First"), left.events, [])
      expect(asked(other)[0]?.prompt_id).not.toBe(open?.prompt_id)
    })
  )

  it.effect("keep their answers in the log of a version that did not present them again", () =>
    Effect.gen(function* () {
      const { events } = yield* goOn(twoQuestions, [], [free("first"), free("second")])
      const [started] = events
      if (started === undefined) throw new Error("the run has no start")
      const open = events.findIndex(({ type }) => type === "gate_presented")
      // It was resumed at its first question, and killed again at its closing review.
      const old = [...events.slice(0, open + 1), started, ...events.slice(open + 1, -2)]
      const resumed = yield* goOn(twoQuestions, old, [finish])
      expect(resumed.outcome).toEqual(whole)
    })
  )

  it.effect("have no output before the first answer, and none any more when that is taken back", () =>
    Effect.gen(function* () {
      const left = yield* goOn(twoQuestions, [], [free("first"), pick("__back__")])
      const states = left.events.map((_, index) => left.events.slice(0, index + 1).reduce(evolve, initialState(9)))
      const outputs = states.map(({ outputs }) => outputs.get("q") ?? null)
      expect(outputs.filter((output) => output !== null)).toMatchObject(
        Array.from({ length: 3 }, () => ({ outcome: "in_progress", answers: { q1: "first" } }))
      )
      expect(outputs.at(-1)).toBeNull()
    })
  )
})
