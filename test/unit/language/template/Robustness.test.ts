import { Either } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ConditionError, evaluateCondition } from "../../../../src/language/Condition.ts"
import { renderTemplate } from "../../../../src/language/template/Template.ts"
import { TemplateError } from "../../../../src/language/template/TemplateError.ts"
import { context, limits, source, value } from "./TemplateArbitraries.ts"

describe("whatever the source and the context are", () => {
  it("a template gives a text or a template error", () => {
    fc.assert(
      fc.property(source, context, (template, values) => {
        const rendered = renderTemplate(template, values, { limits })
        expect(Either.isRight(rendered) ? typeof rendered.right : rendered.left).toSatisfy(
          (result) => result === "string" || result instanceof TemplateError
        )
      }),
      { numRuns: 3000 }
    )
  })

  it("a condition gives yes, no or an error of the language", () => {
    fc.assert(
      fc.property(source, context, value, (when, values, output) => {
        const holds = evaluateCondition(when, values, output)
        expect(Either.isRight(holds) ? typeof holds.right : holds.left).toSatisfy(
          (result) => result === "boolean" || result instanceof TemplateError || result instanceof ConditionError
        )
      }),
      { numRuns: 3000 }
    )
  })

  it("the context is not changed", () => {
    fc.assert(
      fc.property(source, context, (template, values) => {
        const before = structuredClone(values)
        renderTemplate(template, values, { limits })
        expect(values).toEqual(before)
      }),
      { numRuns: 500 }
    )
  })
})

describe("the host's objects cannot be reached", () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype)
  const owners = [
    "a",
    "a.list",
    "a.text",
    "a.number",
    "'x'",
    "1",
    "none",
    "range",
    "loop",
    "namespace()",
    "[]",
    "{}",
    "range(3)"
  ]

  it.each(owners)("through attributes of %s", (owner) => {
    const values = { a: { list: [1], text: "t", number: 1 } }
    for (const name of inherited) {
      for (const access of [`${owner}.${name}`, `${owner}['${name}']`, `${owner} | attr('${name}')`]) {
        const rendered = renderTemplate(`{% for i in [1] %}{{ (${access}) is defined }}{% endfor %}`, values)
        expect([access, Either.getOrNull(rendered)]).toEqual([access, "False"])
      }
    }
  })

  it("through names", () => {
    for (const name of [...inherited, "globalThis", "process", "require"]) {
      expect(Either.getOrNull(renderTemplate(`{{ ${name} is defined }}`, {}))).toBe("False")
    }
  })
})
