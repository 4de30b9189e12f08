import { Ajv } from "ajv"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonSchema } from "../../../src/catalogue/CatalogueEntry.ts"
import type { Json } from "../../../src/domain/Value.ts"
import { fitsSchema } from "../../../src/mcp/OutputFit.ts"

const key = fc.constantFrom("a", "b", "toString")
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1.5, "x", "y"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(key, tie("value"), { maxKeys: 2 })
  )
})).value

const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>(
      { type: "string" },
      { type: "string", enum: ["x"] },
      { type: "boolean" },
      { type: "integer" },
      { type: "number" }
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(key, tie("schema"), { maxKeys: 2 }),
        required: fc.uniqueArray(key, { maxLength: 1 }),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema"))
      },
      { requiredKeys: ["type"] }
    )
  )
})).schema

describe("whether an output keeps its announced type", () => {
  it("agrees with a full validator of JSON Schema on the schemas of the catalogue", () => {
    const ajv = new Ajv({ strict: false, ownProperties: true })
    fc.assert(
      fc.property(schema, value, (schema, value) => {
        expect(fitsSchema(schema, value)).toBe(ajv.validate({ ...schema }, value))
      }),
      { numRuns: 500 }
    )
  })
})
