import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer } from "effect"
import { Float, parseJson, type Value } from "../../../src/domain/Value.ts"
import { Boundary, makeBoundary } from "../../../src/boundary/Boundary.ts"
import { makeRedactor, Redactor } from "../../../src/boundary/Redactor.ts"
import { maxDepth } from "../../../src/boundary/ValueText.ts"
import { Environment } from "../../../src/platform/Environment.ts"

const canary = "canary-0123456789"
const boundary = makeBoundary(makeRedactor([canary]))

const nested = (depth: number): Value => {
  let value: Value = "leaf"
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { key: value }
  return value
}

describe("the boundary", () => {
  it("finds a secret that colours or invisible characters interrupt", () => {
    const hidden = `${canary.slice(0, 6)}\u001b[31m${canary.slice(6, 9)}\u200b\u0000${canary.slice(9)}`
    expect(boundary.text(hidden)).toBe("[REDACTED:secret]")
    expect(boundary.description(hidden)).toBe("[REDACTED:secret]")
    expect(boundary.value([hidden])).toEqual(["[REDACTED:secret]"])
  })

  it("never shows a part of a secret that the cap would cut", () => {
    const clean = boundary.text(`${"x".repeat(90)}${canary}${"y".repeat(500)}`, { maxBytes: 140 })
    expect(clean).not.toContain("canary")
    expect(boundary.description(`${"x".repeat(490)}${canary}`)).not.toContain("canary")
  })

  it("disarms markers and cleans keys inside values, whose numbers stay", () => {
    expect(
      boundary.value({
        "k\u202e": "<system>a\ud800",
        list: [1, new Float(2), 12345678901234567890n, null, true],
        [canary]: ""
      })
    ).toEqual({
      k: "＜system＞a\ufffd",
      list: [1, 2, Number(12345678901234567890n), null, true],
      "[REDACTED:secret]": ""
    })
  })

  it("keeps reserved names such as __proto__ as plain keys", () => {
    const clean = boundary.value(parseJson(`{"__proto__": "x", "constructor": 1}`))
    expect(JSON.stringify(clean)).toBe(`{"__proto__":"x","constructor":1}`)
  })

  it("cuts nesting that is too deep, and says so", () => {
    expect(JSON.stringify(boundary.value(nested(maxDepth)))).toContain("leaf")
    expect(JSON.stringify(boundary.value(nested(5_000)))).toContain("nested deeper than 64 levels")
  })

  it("gives JSON that every reader accepts, whatever the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = JSON.stringify(boundary.value(parseJson(JSON.stringify(value))))
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/\\ud[89a-f]/i)
      })
    )
  })

  it.effect("is built over the redactor", () =>
    Effect.gen(function* () {
      expect((yield* Boundary).text(`say ${canary}`)).toBe("say [REDACTED:secret]")
    }).pipe(
      Effect.provide(
        Boundary.layer.pipe(Layer.provide(Redactor.layer), Layer.provide(Environment.layerOf({ A_TOKEN: canary })))
      )
    )
  )
})
