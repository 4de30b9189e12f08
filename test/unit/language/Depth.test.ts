import { Either, Option } from "effect"
import { describe, expect, it } from "vitest"
import { parseJson, parseStoredJson, stringifyJson, toJson, type Value } from "../../../src/domain/Value.ts"
import { parseCliInput, parseFinalOutput, parseSetTyped, parseSetValue } from "../../../src/language/Coercion.ts"
import { evaluateCondition } from "../../../src/language/Condition.ts"
import { parseLooseJson } from "../../../src/language/LooseJson.ts"
import { renderTemplate } from "../../../src/language/template/Template.ts"
import { templateReferences } from "../../../src/language/validate/TemplateReferences.ts"

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)
const maps = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`

const endless = 50_000

describe("JSON text", () => {
  it.each([
    ["lists", lists],
    ["maps", maps]
  ])("of %s is read and written back as deep as values may be", (_, nested) => {
    const value = parseJson(nested(500))
    expect(stringifyJson(value)).toBe(nested(500))
    expect(JSON.stringify(toJson(value))).toBe(nested(500))
  })

  it.each([
    ["lists", lists(501)],
    ["maps", maps(501)],
    ["lists without end", "[".repeat(endless)]
  ])("of deeper %s is refused", (_, text) => {
    expect(() => parseJson(text)).toThrow("nested more than 500 levels deep")
    expect(parseLooseJson(text)).toEqual(Option.none())
  })

  it("does not count brackets inside texts", () => {
    const text = `${"[".repeat(600)}\\"\\\\`
    expect(parseJson(JSON.stringify([text]))).toEqual([text])
  })

  it("that was stored is read back with what was stored around the deepest value", () => {
    const record: Value = { data: { output: parseJson(lists(500)), cost: 9_007_199_254_740_993n } }
    expect(parseStoredJson(stringifyJson(record))).toEqual(record)
  })
})

describe("text that becomes a value", () => {
  const deep = lists(endless)

  it("stays text when it is nested without measure", () => {
    expect(Either.getOrThrow(parseSetValue(deep))).toBe(deep)
    expect(parseFinalOutput(deep)).toBe(deep)
    expect(parseCliInput(deep)).toBe(deep)
  })

  it("is refused where a list is asked for", () => {
    expect(Either.getOrThrow(Either.flip(parseSetTyped("list", deep))).message).toContain("nested too deeply")
  })

  it("is not nested by aliases either", () => {
    const level = (anchor: number) => `- &l${anchor} ${"[".repeat(90)}*l${anchor - 1}${"]".repeat(90)}\n`
    const text = `- &l0 x\n${Array.from({ length: 40 }, (_, index) => level(index + 1)).join("")}`
    expect(Either.getOrThrow(Either.flip(parseSetTyped("list", text))).message).toContain("nested too deeply")
  })

  it("is read in a moment when it has many aliases", () => {
    const text = `- &a x\n${"- *a\n".repeat(40_000)}`
    const started = process.cpuUsage()
    expect(Either.getOrThrow(parseSetTyped("list", text))).toHaveLength(40_001)
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5)
  })
})

describe("expressions", () => {
  const shapes: ReadonlyArray<readonly [string, string]> = [
    ["parentheses", "(".repeat(endless)],
    ["brackets", "[".repeat(endless)],
    ["negations", `${"not ".repeat(endless)}a`],
    ["signs", `${"-".repeat(endless)}a`],
    ["additions", `a${" + a".repeat(endless)}`],
    ["alternatives", `a${" or a".repeat(endless)}`],
    ["attributes", `a${".a".repeat(endless)}`],
    ["subscripts", `a${"[0]".repeat(endless)}`],
    ["calls", "a(".repeat(endless)],
    ["powers", `1${" ** 1".repeat(endless)}`],
    ["choices", `${"a if a else ".repeat(endless)}a`]
  ]

  it.each(shapes)("of endless %s end in an error or a value", (_, expression) => {
    const kinds = ["budget", "syntax", "type", "other", "undefined", "expression", "unknown-name"]
    for (const when of [expression, `{{ ${expression} }}`]) {
      const result = evaluateCondition(when, { a: 0 }, null)
      if (Either.isLeft(result)) expect(kinds).toContain(result.left.kind)
    }
    const rendered = renderTemplate(`{{ ${expression} }}`, { a: 0 })
    if (Either.isLeft(rendered)) expect(kinds).toContain(rendered.left.kind)
  })

  it.each(shapes)("of endless %s can be searched for the names they read", (_, expression) => {
    expect(templateReferences(`{{ ${expression} }}`).length).toBeLessThan(3)
  })

  it.each([
    ["matrix products", `a${" @ a".repeat(endless)}`],
    ["lambdas", "lambda: ".repeat(endless)],
    ["f-strings", `${"f'{".repeat(1000)}a`]
  ])("of endless %s, which conditions alone have, end in an error", (_, expression) => {
    expect(Either.isLeft(evaluateCondition(expression, { a: 0 }, null))).toBe(true)
  })
})

describe("templates", () => {
  it.each([
    ["statements", "{% if a %}".repeat(endless)],
    [
      "lazy results",
      "{% set n = namespace(t=[1]) %}{% for i in range(5000) %}{% set n.t = n.t | map('string') %}{% endfor %}{{ n.t | list }}"
    ],
    ["targets", `{% set ${"(".repeat(endless)}`],
    ["macros that call themselves", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
    [
      "tuples as keys",
      "{% set n = namespace(t=1) %}{% for i in range(5000) %}{% set n.t = (n.t,) %}{% endfor %}{{ {n.t: 1} }}"
    ],
    [
      "lists to print",
      "{% set n = namespace(t=[]) %}{% for i in range(5000) %}{% set n.t = [n.t] %}{% endfor %}{{ n.t | pprint }}"
    ]
  ])("of endless %s end in an error", (_, template) => {
    const { kind, reason } = Either.getOrThrow(Either.flip(renderTemplate(template, { a: 1 })))
    // Not by an exhausted stack, which would say "too deeply".
    expect([kind, reason]).toEqual([
      expect.stringMatching(/^(?:syntax|budget)$/),
      expect.stringMatching(/levels deep$/)
    ])
  })
})
