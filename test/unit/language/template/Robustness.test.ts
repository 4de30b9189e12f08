import { Either } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Value, ValueMap } from "../../../../src/domain/Value.ts"
import { ConditionError, evaluateCondition } from "../../../../src/language/Condition.ts"
import { renderTemplate } from "../../../../src/language/template/Template.ts"
import { TemplateError } from "../../../../src/language/template/TemplateError.ts"

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Value>(null, true, false, 0, -1, 2.5, "", "a", "<b>", "é🎉", 12345678901234567890n),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "items", "constructor", "toString"), tie("value"), { maxKeys: 3 })
  )
})).value

const context: fc.Arbitrary<ValueMap> = fc.record({ a: value, b: value, output: value })

/** Pieces that make nearly valid templates, which reach much deeper than random characters do. */
const pieces = (
  "{{|}}|{%|%}|{#|#}|{{-|-%}| a| b|.items|[0]|[1:]|['a']|(|)|[|]| is defined| is mapping| if a| else b| and | not | in " +
  "| + | * | ** | % | ~ |-| == | < | for x in a | endfor | endif | set x = a | macro m(a) | endmacro | m(1) |'s'|1|2.5" +
  "|9999999|:|,|{|}| loop.index |\\|\n|__class__|.constructor|f'{a}'"
).split("|")
const filters = [
  "upper",
  "map('upper')",
  "list",
  "tojson",
  "sort",
  "join(',')",
  "groupby('a')",
  "sum",
  "urlize",
  "wordwrap(3)"
]
const piece = fc.constantFrom(...pieces, ...filters.map((filter) => ` | ${filter}`))
const source = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `{{ ${pieces.join("")} }}`),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `{% for x in a %}{{ x${pieces.join("")} }}{% endfor %}`)
)

const limits = { steps: 20_000, output: 100_000, allocation: 1_000_000 }

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
