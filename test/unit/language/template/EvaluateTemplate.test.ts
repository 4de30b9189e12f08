import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { Float, type Value } from "../../../../src/domain/Value.ts"
import { evaluateTemplate } from "../../../../src/language/template/Template.ts"

const context = { n: 3, f: new Float(3), t: "7", list: [1, "<&'ä"], map: { b: 1, a: { c: null } }, big: 2n ** 70n }

const valueOf = (template: string): Value => Either.getOrThrow(evaluateTemplate(template, context))

describe("a template that is evaluated", () => {
  it.each([
    ["{{ n + 1 }}", 4],
    ["{{- f -}}", new Float(3)],
    ["{{ t }}", "7"],
    ["{{ list }}", [1, "<&'ä"]],
    ["{{ map }}", { b: 1, a: { c: null } }],
    ["{{ map.a.c }}", null],
    ["{{ big }}", 2n ** 70n],
    ["{{ n > 2 }}", true],
    ["{{ list | map('string') | list }}", ["1", "<&'ä"]]
  ])("%s gives the value of its expression with its type", (template, value) => {
    expect(valueOf(template)).toEqual(value)
  })

  it("keeps the order of keys", () => {
    expect(Object.keys(valueOf("{{ map }}") as object)).toEqual(["b", "a"])
  })

  it.each([
    ["{{ n }} and {{ t }}", "3 and 7"],
    ["n is {{ n }}", "n is 3"],
    ["{% if n %}{{ n }}{% endif %}", "3"],
    ["3", "3"],
    ["", ""]
  ])("%j is text", (template, text) => {
    expect(valueOf(template)).toBe(text)
  })

  it("gives the text of what JSON does not have", () => {
    expect(valueOf("{{ 'nan' | float }}")).toBe("nan")
    expect(valueOf("{{ range(2) }}")).toBe("range(0, 2)")
  })

  it("fails as rendering does", () => {
    expect(Either.isLeft(evaluateTemplate("{{ nobody }}", context))).toBe(true)
    expect(Either.isLeft(evaluateTemplate("{{ n", context))).toBe(true)
  })
})
