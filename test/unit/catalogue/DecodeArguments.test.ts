import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { Either } from "effect"
import * as fc from "fast-check"
import type { CatalogueEntry } from "../../../src/catalogue/CatalogueEntry.ts"
import { decodeArguments } from "../../../src/catalogue/DecodeArguments.ts"
import { permissiveToolInput } from "../../../src/catalogue/ToolInputSchema.ts"
import { Float } from "../../../src/domain/Value.ts"
import type { InputDefinition } from "../../../src/language/document/InputDefinition.ts"
import { entryOf, entryWithInputs } from "./CatalogueEntries.ts"

const review = entryWithInputs({
  pr_number: { type: "number", required: true },
  title: { type: "string", required: true },
  labels: { type: "array", required: false },
  options: { type: "object", required: false },
  draft: { type: "boolean", required: false },
  "my file.path": { type: "string", required: false }
})

const inputsOf = (entry: CatalogueEntry, args: unknown) => Either.getOrThrow(decodeArguments(entry, args)).inputs
const problemsOf = (entry: CatalogueEntry, args: unknown) =>
  Either.getOrThrow(Either.flip(decodeArguments(entry, args)))

describe("decoding arguments", () => {
  it("gives the inputs by the names that the workflow uses", () => {
    expect(inputsOf(review, { pr_number: 7, title: "x", my_file_path: "/tmp/a" })).toEqual({
      pr_number: 7,
      title: "x",
      "my file.path": "/tmp/a"
    })
  })

  it("keeps _wait_seconds apart from the inputs", () => {
    const decoded = Either.getOrThrow(decodeArguments(review, { pr_number: 7, title: "x", _wait_seconds: 20 }))
    expect(decoded).toEqual({ inputs: { pr_number: 7, title: "x" }, waitSeconds: 20 })
  })

  it("names every problem at once, with the nearest parameter", () => {
    const error = problemsOf(review, { pr_numbr: 7, title: 5, labels: [1, null], draft: "yes" })
    expect(error.problems.map(({ parameter }) => parameter)).toEqual([
      "pr_numbr",
      "title",
      "labels",
      "draft",
      "pr_number"
    ])
    expect(error.message).toContain('did you mean "pr_number"?')
    expect(error.message).toContain("'title' must be string, not number.")
    expect(error.message).toContain(
      "'labels' is wrong at element 1, which must be string or number or boolean or object or array, not null."
    )
    expect(error.message).toContain("'pr_number' is required (number) and was not given.")
  })

  it("says where in a list of lists something is wrong", () => {
    const error = problemsOf(review, { pr_number: 1, title: "", labels: ["a", ["b", null]] })
    expect(error.message).toContain("'labels' is wrong at element 1, which is wrong at element 1, which must be")
  })

  it("never repeats a value", () => {
    expect(problemsOf(review, { pr_number: "hunter2", title: ["hunter2"] }).message).not.toContain("hunter2")
  })

  it("null for an optional parameter counts as not given; for a required one it is missing", () => {
    expect(inputsOf(review, { pr_number: 1, title: "x", draft: null, labels: null })).toEqual({
      pr_number: 1,
      title: "x"
    })
    expect(problemsOf(review, { pr_number: null, title: "x" }).problems).toHaveLength(1)
  })

  it("no arguments at all are an empty object", () => {
    expect(inputsOf(entryWithInputs({}), undefined)).toEqual({})
  })

  it.each([[[]], ["text"], [7], [true]])("%j is no object of parameters", (args) => {
    expect(problemsOf(entryWithInputs({}), args).message).toContain("must be an object")
  })

  it("integers stay integers, and doubles that hold no exact integer become floats", () => {
    const inputs = inputsOf(review, { pr_number: 3, title: "", options: { big: 1e300, half: 0.5, list: [1, 2 ** 60] } })
    expect(inputs).toEqual({
      pr_number: 3,
      title: "",
      options: { big: new Float(1e300), half: 0.5, list: [1, new Float(2 ** 60)] }
    })
  })

  it("a value that is nested without end is refused, not a crash", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)
    expect(problemsOf(review, { pr_number: 1, title: "", options: deep }).message).toContain("nested deeper")
  })

  it("names that every object has are plain data", () => {
    const args: unknown = JSON.parse(
      '{"pr_number":1,"title":"","options":{"__proto__":{"polluted":true}},"toString":1}'
    )
    expect(problemsOf(review, args).problems.map(({ parameter }) => parameter)).toEqual(["toString"])
    const entry = entryWithInputs(JSON.parse('{"__proto__":{"type":"string","required":true}}'))
    const inputs = inputsOf(entry, { proto: "x" })
    expect(Object.getOwnPropertyNames(inputs)).toEqual(["__proto__"])
    expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype)
  })

  it("of a workflow that could not be read, everything goes through by name", () => {
    const { parameters, schema } = permissiveToolInput
    const entry = entryOf({ inputSchema: schema, parameters })
    expect(inputsOf(entry, { anything: [null, { a: null }], other: "x", nothing: null })).toEqual({
      anything: [null, { a: null }],
      other: "x"
    })
    expect(problemsOf(entry, { _wait_seconds: "soon" }).problems).toHaveLength(1)
  })
})

const anyType = fc.constantFrom(
  "string" as const,
  "number" as const,
  "boolean" as const,
  "array" as const,
  "object" as const
)
const anyDefinition: fc.Arbitrary<InputDefinition> = fc.record({ type: anyType, required: fc.boolean() })
const anyName = fc.oneof(
  fc.constantFrom("a", "b", "my file", "__proto__", "constructor", "toString", "_x"),
  fc.string({ maxLength: 8 })
)
const anyInputs = fc.dictionary(anyName, anyDefinition, { maxKeys: 5 })
const anyJson = fc.jsonValue({ maxDepth: 4 })

/** Arguments near the schema: mostly its own parameters, mostly of their types, sometimes others. */
const argumentsFor = (entry: CatalogueEntry): fc.Arbitrary<Record<string, unknown>> => {
  const properties: Record<string, { type: string }> = JSON.parse(JSON.stringify(entry.inputSchema["properties"]))
  const fitting: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.string(),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    boolean: fc.boolean(),
    array: fc.array(anyJson, { maxLength: 3 }),
    object: fc.dictionary(fc.string(), anyJson, { maxKeys: 2 })
  }
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      fc.oneof({ weight: 8, arbitrary: fitting[type] ?? anyJson }, { weight: 1, arbitrary: anyJson })
    ])
  )
  const others = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(anyName, anyJson, { maxKeys: 2 }) }
  )
  return fc.tuple(fc.record(known, { requiredKeys: [] }), others).map(([first, second]) => ({ ...first, ...second }))
}

const anyCall = anyInputs.map(entryWithInputs).chain((entry) => fc.tuple(fc.constant(entry), argumentsFor(entry)))

/** What "not given" means to the decoder, in terms of the schema. */
const withoutNulls = (entry: CatalogueEntry, args: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(args).filter(
      ([name, value]) => value !== null || !Object.hasOwn(Object(entry.inputSchema["properties"]), name)
    )
  )

const strictly = new Ajv({ strict: true, strictTypes: true, ownProperties: true, addUsedSchema: false })

describe("the published schema", () => {
  it("accepts exactly the arguments that are decoded (null for an optional parameter apart)", () => {
    let accepted = 0
    let refused = 0
    fc.assert(
      fc.property(anyCall, ([entry, args]) => {
        const validate = strictly.compile(entry.inputSchema)
        const bySchema = validate(withoutNulls(entry, args))
        expect(Either.isRight(decodeArguments(entry, args))).toBe(bySchema)
        if (bySchema) accepted += 1
        else refused += 1
      }),
      { numRuns: 300 }
    )
    expect(accepted).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(50)
  })

  it("accepts the same arguments for validators that look up the prototype", () => {
    fc.assert(
      fc.property(anyCall, ([entry, args]) => {
        const [loose, exact] = [false, true].map((ownProperties) =>
          new Ajv({ strict: true, ownProperties }).compile(entry.inputSchema)
        )
        expect(loose?.(args)).toBe(exact?.(args))
      }),
      { numRuns: 50 }
    )
  })
})
