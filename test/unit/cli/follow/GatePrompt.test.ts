import { describe, expect, it } from "vitest"
import { pressGate, promptFor, type GatePrompt, type Pressed } from "../../../../src/cli/follow/GatePrompt.ts"
import type { Key } from "../../../../src/cli/follow/Keyboard.ts"
import type { OpenGate } from "../../../../src/domain/Gate.ts"
import { enter, key, typed } from "./Keys.ts"

const gate: OpenGate = {
  step: "approve",
  promptId: "p1",
  prompt: "Ship it?",
  options: [
    { value: "yes", label: "Ship", route: "$end" },
    { value: "no", label: "Hold", route: "$end", promptFor: "why" },
    { value: "1", label: "Ask again", route: "approve" }
  ]
}

const press = (...keys: ReadonlyArray<Key>): Pressed =>
  keys.reduce<Pressed>((pressed, next) => (pressed._tag === "Open" ? pressGate(pressed.prompt, next) : pressed), {
    _tag: "Open",
    prompt: promptFor(gate)
  })

const answered = (selected: string, additionalInput = {}): Pressed => ({
  _tag: "Answered",
  answer: { selected, additionalInput }
})

const stillOpen = (pressed: Pressed): GatePrompt => {
  if (pressed._tag === "Answered") throw new Error(`answered with ${pressed.answer.selected}`)
  return pressed.prompt
}

describe("a gate in front of a person", () => {
  it("takes a value, a number, a label, or what the arrows point at", () => {
    expect(press(...typed("yes"), enter)).toEqual(answered("yes"))
    expect(press(...typed("3"), enter)).toEqual(answered("1"))
    expect(press(...typed("ask AGAIN"), enter)).toEqual(answered("1"))
    expect(press(key("down"), enter)).toEqual(answered("yes"))
    expect(press(key("up"), enter)).toEqual(answered("1"))
    expect(press(key("down"), key("down"), key("down"), key("down"), enter)).toEqual(answered("yes"))
  })

  it("takes a value that looks like a number for the value", () => {
    expect(press(...typed("1"), enter)).toEqual(answered("1"))
  })

  it("takes nothing for an Enter alone, which may have been pressed before the question came", () => {
    expect(stillOpen(press(enter)).refusal).toContain("choose with the arrow keys")
  })

  it("says what is valid after a wrong answer, and asks again", () => {
    const prompt = stillOpen(press(...typed("maybe"), enter))
    expect(prompt).toMatchObject({ text: "", refusal: expect.stringContaining("yes (Ship), no (Hold)") })
    expect(stillOpen(pressGate(prompt, key("down"))).refusal).toBeUndefined()
  })

  it("asks for the text of an option that wants one, of several lines too", () => {
    expect(stillOpen(press(...typed("no"), enter))).toMatchObject({ text: "", writing: { value: "no" } })
    const words = [...typed("no"), enter, ...typed("too"), key("enter"), ...typed("early")]
    expect(press(...words, enter)).toEqual(answered("no", { why: "too\nearly" }))
  })

  it("goes back from the text to the options with Esc", () => {
    expect(press(...typed("no"), enter, ...typed("x"), key("escape"), ...typed("yes"), enter)).toEqual(answered("yes"))
  })

  it("lets what was typed be put right: a character, a word, all of it", () => {
    expect(press(...typed("yess👩🏽‍🚀"), key("backspace"), key("backspace"), enter)).toEqual(answered("yes"))
    expect(press(...typed("no yes"), key("w", { ctrl: true }), key("backspace"), enter)._tag).toBe("Open")
    expect(press(...typed("maybe"), key("u", { ctrl: true }), ...typed("yes"), enter)).toEqual(answered("yes"))
  })

  it("puts no control character into a text, and no key that has no character", () => {
    const keys = [...typed("y\u001b\u0007"), key("f1"), key("left"), ...typed("es"), enter]
    expect(press(...keys)).toEqual(answered("yes"))
  })
})
