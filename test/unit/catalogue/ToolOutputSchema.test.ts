import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Either } from "effect"
import * as fc from "fast-check"
import { outputFactsOf } from "../../../src/catalogue/OutputFacts.ts"
import { toolOutputSchema } from "../../../src/catalogue/ToolOutputSchema.ts"
import { float, toJson, type Value } from "../../../src/domain/Value.ts"
import { renderOutput } from "../../../src/engine/FinalOutput.ts"
import { validateOutput } from "../../../src/engine/OutputValidation.ts"
import type { OutputField } from "../../../src/language/document/OutputField.ts"
import { readMetadata } from "../../../src/language/Metadata.ts"

const FIELDS = `
      ok: {type: boolean, description: Whether it passed.}
      maybe: {type: boolean, nullable: true}
      verdict: {type: string, enum: [approve, reject]}
      answer: {type: string}
      odd: {type: string, enum: ["1", "true", word]}
      secret: {type: string, enum: ["a\${X}"]}
      score: {type: number, minimum: 0, maximum: 10}
      tags: {type: array, items: {type: string}}
      numbers: {type: array, items: {type: number}}
      anything: {type: array}
      details: {type: object, properties: {note: {type: string}, n: {type: number}, maybe: {type: string, nullable: true}, "a b": {type: string}}}`

interface Workflow {
  readonly template: string
  readonly type?: string
  readonly extra?: string
  readonly after?: string
  readonly agents?: string
}

const text = ({ after = "", agents, extra = "", template, type = "agent" }: Workflow): string => `
workflow: {name: w, entry_point: judge}
agents:${
  agents ??
  `
  - name: judge
    type: ${type}
    output:${FIELDS}
${extra}`
}
output:
  result: ${JSON.stringify(template)}
${after}`

const schemaOf = (workflow: Workflow) => {
  const source = text(workflow)
  const facts = outputFactsOf(source, readMetadata(source))
  return facts === undefined ? undefined : toolOutputSchema(facts)
}

const promiseOf = (template: string, workflow: Partial<Workflow> = {}) => {
  const properties = schemaOf({ template, ...workflow })?.["properties"]
  return JSON.parse(JSON.stringify(properties ?? {}))["result"]
}

describe("the promise about an output value", () => {
  it.each([
    ["{{ judge.output.ok }}", { type: "boolean", description: "Whether it passed." }],
    ["{{judge.output.ok}}", { type: "boolean", description: "Whether it passed." }],
    ["  {{- judge.output.ok | json -}}\n", { type: "boolean", description: "Whether it passed." }],
    ["{{ judge.output.verdict }}", { type: "string", enum: ["approve", "reject"] }],
    ["{{ judge.output.verdict | tojson }}", { type: "string", enum: ["approve", "reject"] }],
    ["{{ judge.output.answer | json }}", { type: "string" }],
    ["{{ judge.output.odd | json }}", { type: "string", enum: ["1", "true", "word"] }],
    ["{{ judge.output.secret | json }}", { type: "string" }],
    ["{{ judge.output.tags | json }}", { type: "array", items: { type: "string" } }],
    ["{{ judge.output.details | json }}", { type: "object", properties: { note: { type: "string" } } }]
  ])("%j is kept whatever the step answers", (template, expected) => {
    expect(promiseOf(template)).toEqual(expected)
  })

  it.each([
    ["{{ judge.output.answer }}", "text may look like a number"],
    ["{{ judge.output.odd }}", "some words are read as something else"],
    ["{{ judge.output.secret }}", "the environment changes the words"],
    ["{{ judge.output.score }}", "a small number is written 1e-05, which is read as text"],
    ["{{ judge.output.score | json }}", "the same in JSON"],
    ["{{ judge.output.maybe }}", "it may be null"],
    ["{{ judge.output.tags }}", "a list of texts is written with quotes that are not JSON"],
    ["{{ judge.output.details }}", "an object too"],
    ["{{ judge.output.numbers | json }}", "a number may be infinite"],
    ["{{ judge.output.anything | json }}", "the elements are not declared"],
    [" {{ judge.output.verdict }}", "blanks become part of the text"],
    ["{{ judge.output.ok }}!", "more than the value"],
    ["{{ judge.output.ok }}{{ judge.output.ok }}", "two values"],
    ["{{ judge.output.ok | default(1) }}", "another filter"],
    ["{{ judge.output.missing }}", "the field is not declared"],
    ["{{ other.output.ok }}", "there is no such step"],
    ["{{ judge.output['ok'] }}", "another way to write it"],
    ["yes", "no reference"]
  ])("none for %j: %s", (template) => {
    expect(promiseOf(template)).toBeUndefined()
  })

  it.each(["script", "set", "agent"])("is kept for a %s step, whose output is checked", (type) => {
    expect(promiseOf("{{ judge.output.ok }}", { type })).toBeDefined()
  })

  it.each(["workflow", "human_gate"])("none for a %s step, whose declared output is never checked", (type) => {
    expect(promiseOf("{{ judge.output.ok }}", { type })).toBeUndefined()
  })

  it.each([
    ["a route to the end", '    routes: [{to: $end, output: {result: "x"}}]'],
    [
      "a terminate step",
      '  - {name: stop, type: terminate, status: success, reason: r, output_template: {result: "x"}}'
    ],
    ["a second step of the same name", "  - {name: judge, type: script, command: x}"],
    ["a step kept in another file", "  - !file step.yaml"],
    ["routes kept in another file", "    routes: !file routes.yaml"]
  ])("none when %s may give something else", (_, extra) => {
    expect(promiseOf("{{ judge.output.ok }}", { extra })).toBeUndefined()
  })

  it("none when a group has the name of the step", () => {
    const after = "parallel:\n  - {name: judge, agents: [judge, judge]}"
    expect(promiseOf("{{ judge.output.ok }}", { after })).toBeUndefined()
  })

  it("none when the output looks like that of a group", () => {
    const agents =
      "\n  - name: judge\n    output: {ok: {type: boolean}, outputs: {type: object}, errors: {type: object}}"
    expect(promiseOf("{{ judge.output.ok }}", { agents })).toBeUndefined()
  })

  it("is kept when overrides are about other keys", () => {
    expect(
      promiseOf("{{ judge.output.ok }}", { extra: '    routes: [{to: $end, output: {other: "x"}}]' })
    ).toBeDefined()
  })
})

describe("the output schema", () => {
  it("is an open object that names its keys and requires none", () => {
    expect(schemaOf({ template: "x", after: '  "a key": y' })).toEqual({
      type: "object",
      description: "With result, a key."
    })
  })

  it("is not known when the outputs cannot be read", () => {
    const source = "workflow: {name: w}\noutput: !file outputs.yaml"
    expect(outputFactsOf(source, readMetadata(source))).toBeUndefined()
  })

  it("has no empty or boolean sub-schema, which strict linters refuse", () => {
    expect(JSON.stringify(schemaOf({ template: "{{ judge.output.details | json }}" }))).not.toMatch(/\{\}|:true|:false/)
  })

  it("does not grow without bound", () => {
    const properties = Array.from({ length: 900 }, (_, index) => `property_${index}: {type: string}`).join(", ")
    const agents = `\n  - name: judge\n    output: {big: {type: object, properties: {${properties}}}}`
    expect(schemaOf({ template: "{{ judge.output.big | json }}", agents })).toEqual({
      type: "object",
      description: "With result."
    })
  })
})

const tricky = fc.constantFrom(
  "",
  "1",
  "1e5",
  "1.5",
  "true",
  "None",
  "null",
  "[1]",
  '"q"',
  "{}",
  " x ",
  "approve",
  "a\nb",
  "</b>&'\"",
  "nan",
  "Infinity"
)
const anyText = fc.oneof(tricky, fc.string(), fc.string({ unit: "grapheme" }))
const anyNumber: fc.Arbitrary<Value> = fc.oneof(
  fc.integer(),
  fc.double().map(float),
  fc.constantFrom<Value>(1e-5, float(1e22), 2n ** 70n, float(3), Infinity, NaN)
)

interface Sample {
  readonly field: OutputField
  readonly value: Value
}

const plain = { required: true, nullable: false }

const scalarSample: fc.Arbitrary<Sample> = fc.oneof(
  fc.boolean().map((value) => ({ field: { ...plain, type: "boolean" as const }, value })),
  anyText.map((value) => ({ field: { ...plain, type: "string" as const }, value })),
  fc.tuple(anyText, fc.array(anyText, { maxLength: 3 })).map(([value, others]) => ({
    field: { ...plain, type: "string" as const, enum: [value, ...others] },
    value
  })),
  anyNumber.map((value) => ({ field: { ...plain, type: "number" as const }, value }))
)

const listOf = (items: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(items, fc.boolean()).map(([{ field, value }, isEmpty]) => ({
    field: { ...plain, type: "array" as const, items: field },
    value: isEmpty ? [] : [value, value]
  }))

const mapOf = (properties: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.dictionary(fc.constantFrom("a", "b", "c d", "items"), properties, { maxKeys: 3 }).map((samples) => ({
    field: {
      ...plain,
      type: "object" as const,
      properties: Object.fromEntries(Object.entries(samples).map(([key, { field }]) => [key, field]))
    },
    value: { ...Object.fromEntries(Object.entries(samples).map(([key, { value }]) => [key, value])), undeclared: NaN }
  }))

const nullableOf = (sample: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(sample, fc.boolean()).map(([{ field, value }, isNull]) => ({
    field: { ...field, nullable: true },
    value: isNull ? null : value
  }))

const { anySample } = fc.letrec<{ anySample: Sample }>((tie) => ({
  anySample: fc.oneof(
    { maxDepth: 3, depthIdentifier: "field" },
    { weight: 4, arbitrary: scalarSample },
    { weight: 1, arbitrary: nullableOf(scalarSample) },
    { weight: 2, arbitrary: listOf(tie("anySample")) },
    { weight: 2, arbitrary: mapOf(tie("anySample")) }
  )
}))

const templates = [
  "{{ judge.output.value }}",
  "{{ judge.output.value | json }}",
  "{{ judge.output.value|tojson }}",
  " {{ judge.output.value | json }}\n",
  "{{- judge.output.value -}}\n",
  "\n  {{ judge.output.value }}"
]

describe("whatever a step answers", () => {
  it("the engine's output satisfies the published schema", () => {
    const ajv = new Ajv({ strict: true, strictTypes: true, addUsedSchema: false })
    let promised = 0
    fc.assert(
      fc.property(anySample, fc.constantFrom(...templates), ({ field, value }, template) => {
        const fields = { value: field }
        expect(Either.isRight(validateOutput("judge", fields, { value }))).toBe(true)
        const schema = toolOutputSchema({
          templates: { result: template },
          nodes: [{ name: "judge", type: "agent", output: fields }],
          overrides: new Set()
        })
        const output = Either.getOrThrow(renderOutput({ result: template }, { judge: { output: { value } } }))
        const validate = ajv.compile(schema)
        expect(validate(toJson(output)), JSON.stringify([schema, toJson(output), validate.errors])).toBe(true)
        if (Object.hasOwn(schema, "properties")) promised += 1
      }),
      { numRuns: 1500 }
    )
    expect(promised).toBeGreaterThan(200)
  })
})
