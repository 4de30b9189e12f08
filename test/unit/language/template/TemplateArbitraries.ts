/** Templates and contexts that nobody thought of. */
import * as fc from "fast-check"
import type { Value, ValueMap } from "../../../../src/domain/Value.ts"

export const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Value>(null, true, false, 0, -1, 2.5, "", "a", "<b>", "é🎉", 12345678901234567890n),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "items", "constructor", "toString", "__proto__"), tie("value"), {
      maxKeys: 3
    })
  )
})).value

export const context: fc.Arbitrary<ValueMap> = fc.record({ a: value, b: value, output: value })

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
export const source = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `{{ ${pieces.join("")} }}`),
  fc.array(piece, { maxLength: 8 }).map((pieces) => `{% for x in a %}{{ x${pieces.join("")} }}{% endfor %}`)
)

export const limits = { steps: 20_000, output: 100_000, allocation: 1_000_000 }
