import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Float, type ValueMap } from "../../../src/domain/Value.ts"
import { validateOutput } from "../../../src/engine/OutputValidation.ts"
import { OutputFields } from "../../../src/language/document/OutputField.ts"

const check = (fields: object, value: ValueMap): string =>
  Either.match(validateOutput("s", Schema.decodeUnknownSync(OutputFields)(fields), value), {
    onLeft: ({ message }) => message,
    onRight: () => "valid"
  })

describe("validateOutput", () => {
  it("names the step, the field, the rule and what was there", () => {
    expect(check({ n: { type: "number" } }, { n: "five" })).toBe(
      `Step 's': Output field 'n' must be of type number, got "five"`
    )
  })

  it("names the place of a fault inside lists and objects", () => {
    const fields = { l: { type: "array", items: { type: "object", properties: { x: { type: "string" } } } } }
    expect(check(fields, { l: [{ x: "a" }, { x: 1 }] })).toContain("'l[1].x'")
  })

  it("keeps fields that are not declared", () => {
    expect(check({ n: { type: "number" } }, { n: 1, more: [] })).toBe("valid")
  })

  it("never takes a boolean for a number", () => {
    expect(check({ n: { type: "number" } }, { n: true })).toContain("must be of type number")
  })

  it("takes 1 for an enum value of 1.0", () => {
    expect(check({ n: { type: "number", enum: [new Float(1)] } }, { n: 1 })).toBe("valid")
  })

  it("takes null only where it is allowed, items included", () => {
    const list = (nullable: boolean) => ({ l: { type: "array", items: { type: "string", nullable } } })
    expect(check(list(false), { l: ["a", null] })).toContain("'l[1]'")
    expect(check(list(true), { l: ["a", null] })).toBe("valid")
  })

  it("lets an optional property be absent, but not wrong", () => {
    const fields = { o: { type: "object", properties: { x: { type: "string", required: false } } } }
    expect(check(fields, { o: {} })).toBe("valid")
    expect(check(fields, { o: { x: 1 } })).toContain("'o.x'")
  })

  it("counts characters, not code units", () => {
    expect(check({ s: { type: "string", maxLength: 2 } }, { s: "😀😀" })).toBe("valid")
  })

  it("gives up on a pattern that would run for ever", () => {
    const pathological = { s: { type: "string", pattern: "^(a+)+$" } }
    expect(check(pathological, { s: `${"a".repeat(40)}!` })).toContain("within a second")
  })
})
