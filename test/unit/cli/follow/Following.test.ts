import { describe, expect, it } from "vitest"
import {
  answerable,
  beginFollowing,
  follow,
  wantsKeys,
  type Action,
  type Following,
  type Input
} from "../../../../src/cli/follow/Following.ts"
import type { Key } from "../../../../src/cli/follow/Keyboard.ts"
import type { RunEvent } from "../../../../src/domain/RunEvent.ts"
import { event, specOf, started } from "../../../support/runs/Specs.ts"
import { ctrlC, enter, key, typed } from "./Keys.ts"

const asks = (seq: number, promptId: string): RunEvent =>
  event(seq, "gate_presented", {
    agent_name: "approve",
    prompt_id: promptId,
    prompt: "Ship it?",
    options: ["yes"],
    option_details: [{ label: "Ship", value: "yes", route: "$end", prompt_for: null, multiline: false }]
  })

const resolved = (seq: number, promptId: string): RunEvent =>
  event(seq, "gate_resolved", {
    agent_name: "approve",
    prompt_id: promptId,
    selected_option: "yes",
    route: "$end",
    additional_input: {}
  })

const happens = (event: RunEvent): Input => ({ _tag: "Event", event, age: "new" })
const pressed = (key: Key): Input => ({ _tag: "Key", key })
const pressedAll = (...keys: ReadonlyArray<Key>): ReadonlyArray<Input> => keys.map(pressed)

interface Followed {
  readonly following: Following
  readonly actions: ReadonlyArray<Action>
}

const after = (...inputs: ReadonlyArray<Input>): Followed =>
  inputs.reduce<Followed>(
    ({ actions, following }, input) => {
      const [next, action] = follow(following, input)
      return { following: next, actions: action._tag === "Nothing" ? actions : [...actions, action] }
    },
    { following: beginFollowing(specOf("a")), actions: [] }
  )

const atGate = [happens(started), happens(asks(2, "p1"))]
const yes = pressedAll(...typed("yes"), enter)
const answer = { _tag: "Answer", promptId: "p1", answer: { selected: "yes", additionalInput: {} } }

describe("following a run", () => {
  it("wants keys only while something is asked, so that the terminal is a usual one otherwise", () => {
    expect(wantsKeys(after(happens(started)).following)).toBe(false)
    expect(wantsKeys(after(...atGate).following)).toBe(true)
    expect(wantsKeys(after(...atGate, ...yes).following)).toBe(false)
    expect(wantsKeys(after(happens(started), { _tag: "CtrlC" }).following)).toBe(true)
  })

  it("knows that the keyboard is idle again once nothing is asked", () => {
    const answering = after(...atGate, { _tag: "Listening" })
    expect(answering.following.keyboard).toBe("listening")
    expect(follow(answering.following, happens(resolved(3, "p1")))[0].keyboard).toBe("idle")
  })

  it("sends an answer once, for the prompt that was on the screen", () => {
    expect(after(...atGate, ...yes, ...yes).actions).toEqual([answer])
  })

  it("asks again when the answer was not taken, and not when the gate is closed by then", () => {
    const refusal: Input = { _tag: "Refused", promptId: "p1", reason: "no" }
    expect(answerable(after(...atGate, ...yes, refusal).following)?.refusal).toBe("no")
    expect(answerable(after(...atGate, ...yes, happens(resolved(3, "p1")), refusal).following)).toBeUndefined()
  })

  it("closes a prompt that was answered elsewhere, with all that was typed", () => {
    const { actions, following } = after(
      ...atGate,
      ...pressedAll(...typed("ye")),
      happens(resolved(3, "p1")),
      happens(asks(4, "p2")),
      ...pressedAll(enter)
    )
    expect(actions).toEqual([])
    expect(answerable(following)).toMatchObject({ text: "", gate: { promptId: "p2" } })
  })

  it("asks nothing of what was open in an earlier life of the run before it goes on", () => {
    const past = after(...[started, asks(2, "p1")].map((event): Input => ({ _tag: "Event", event, age: "past" })))
    expect(wantsKeys(past.following)).toBe(false)
    const [following] = follow(past.following, happens({ ...started, seq: 3 }))
    expect(answerable(following)?.gate.promptId).toBe("p1")
  })

  describe("Ctrl-C", () => {
    const asked: ReadonlyArray<Input> = [happens(started), { _tag: "CtrlC" }]

    it("asks once what is meant: c cancels, d detaches, Enter goes on", () => {
      expect(after(...asked).actions).toEqual([])
      expect(after(...asked, ...pressedAll(...typed("xc"))).actions).toEqual([{ _tag: "Cancel" }])
      expect(after(...asked, ...pressedAll(...typed("d"))).actions).toEqual([{ _tag: "Detach" }])
      expect(after(...asked, pressed(enter)).following.question).toBe("gate")
    })

    it("a second time cancels, as a signal or as a key", () => {
      expect(after(...asked, { _tag: "CtrlC" }).actions).toEqual([{ _tag: "Cancel" }])
      expect(after(...asked, pressed(ctrlC)).actions).toEqual([{ _tag: "Cancel" }])
    })

    it("asks anew after somebody chose to go on", () => {
      expect(after(...asked, pressed(enter), { _tag: "CtrlC" }).actions).toEqual([])
    })

    it("in the middle of an answer keeps what was typed, and a gate that opens meanwhile waits", () => {
      const { following } = after(...atGate, ...pressedAll(...typed("ye")), pressed(ctrlC), pressed(key("escape")))
      expect(answerable(following)?.text).toBe("ye")
      const late = after(...asked, happens(asks(2, "p1"))).following
      expect(answerable(late)).toBeUndefined()
      expect(answerable(follow(late, pressed(enter))[0])?.gate.promptId).toBe("p1")
    })

    it("does not let an answer that is under way be sent twice", () => {
      expect(after(...atGate, ...yes, { _tag: "CtrlC" }, pressed(enter), ...yes).actions).toEqual([answer])
    })
  })
})
