import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { parseSetValue } from "../../../src/language/Coercion.ts"

describe("the value of a set step", () => {
  it("is a list however long its text is", () => {
    const numbers = Array.from({ length: 150_000 }, (_, index) => index)
    expect(parseSetValue(JSON.stringify(numbers))).toEqual(Either.right(numbers))
  })

  it("stays text when its aliases would multiply without bound", () => {
    const bomb = ["&a [x, x, x, x, x, x, x, x, x, x]", ..."bcdefg"]
      .map((line, index) => (index === 0 ? `- ${line}` : `- &${line} [${`*${"abcdef"[index - 1]}, `.repeat(10)}]`))
      .join("\n")
    expect(parseSetValue(bomb)).toEqual(Either.right(bomb))
  })
})
