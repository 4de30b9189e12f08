import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { extractJson } from "../../../src/engine/JsonExtraction.ts"

const found = (text: string) => Option.getOrElse(extractJson(text), () => "nothing")

describe("extractJson", () => {
  it("takes the whole text when it is JSON", () => {
    expect(found(' {"a": 1}\n')).toEqual({ a: 1 })
    expect(found("[1, 2]")).toEqual([1, 2])
  })

  it("takes the first fenced block that is JSON", () => {
    expect(found('First:\n```\nnot json\n```\nthen\n```json\n{"a": 2}\n```\n')).toEqual({ a: 2 })
  })

  it("survives a fence inside the JSON itself", () => {
    expect(found('```json\n{"code": "```js\\nx\\n```"}\n```')).toEqual({ code: "```js\nx\n```" })
  })

  it("takes what is between the outer braces of prose", () => {
    expect(found('The answer is {"a": {"b": 3}}, as you asked.')).toEqual({ a: { b: 3 } })
  })

  it("finds nothing in plain prose", () => {
    expect(found("I would rather not say.")).toBe("nothing")
  })
})
