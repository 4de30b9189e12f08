import { describe, expect, it } from "@effect/vitest"
import { outputFactsOf } from "../../../src/catalogue/OutputFacts.ts"
import { toolOutputSchema } from "../../../src/catalogue/ToolOutputSchema.ts"
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
agents:${agents ?? `
  - name: judge
    type: ${type}
    output:${FIELDS}
${extra}`}
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
    ["a terminate step", '  - {name: stop, type: terminate, status: success, reason: r, output_template: {result: "x"}}'],
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
    const agents = "\n  - name: judge\n    output: {ok: {type: boolean}, outputs: {type: object}, errors: {type: object}}"
    expect(promiseOf("{{ judge.output.ok }}", { agents })).toBeUndefined()
  })

  it("is kept when overrides are about other keys", () => {
    expect(promiseOf("{{ judge.output.ok }}", { extra: '    routes: [{to: $end, output: {other: "x"}}]' })).toBeDefined()
  })
})

describe("the output schema", () => {
  it("is an open object that names its keys and requires none", () => {
    expect(schemaOf({ template: "x", after: '  "a key": y' })).toEqual({ type: "object", description: "With result, a key." })
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
    expect(schemaOf({ template: "{{ judge.output.big | json }}", agents })).toEqual({ type: "object", description: "With result." })
  })
})
