import { describe, expect, it } from "vitest"
import { outputJsonSchema } from "../../../src/agents/OutputJsonSchema.ts"
import { Float } from "../../../src/domain/Value.ts"
import type { OutputField } from "../../../src/language/document/OutputField.ts"

const field = (rest: Partial<OutputField> & Pick<OutputField, "type">): OutputField => ({
  required: true,
  nullable: false,
  ...rest
})

describe("outputJsonSchema", () => {
  it("writes every keyword, nested", () => {
    const fields = {
      verdict: field({ type: "string", enum: ["good", "bad"], nullable: true, description: "What it is" }),
      score: field({ type: "number", minimum: 0, maximum: 1 }),
      places: field({
        type: "array",
        items: field({ type: "object", properties: { file: field({ type: "string", pattern: "^src/" }) } })
      })
    }
    expect(outputJsonSchema(fields)).toEqual({
      strict: true,
      schema: {
        type: "object",
        properties: {
          verdict: { type: ["string", "null"], enum: ["good", "bad", null], description: "What it is" },
          score: { type: "number", minimum: 0, maximum: 1 },
          places: {
            type: "array",
            items: {
              type: "object",
              properties: { file: { type: "string", pattern: "^src/" } },
              required: ["file"],
              additionalProperties: false
            }
          }
        },
        required: ["verdict", "score", "places"],
        additionalProperties: false
      }
    })
  })

  it("leaves what is optional out of `required`, and is not strict then", () => {
    const properties = { must: field({ type: "string" }), may: field({ type: "string", required: false }) }
    const { schema, strict } = outputJsonSchema({ part: field({ type: "object", properties }) })
    expect(strict).toBe(false)
    expect(schema).toMatchObject({ properties: { part: { required: ["must"] } } })
    expect(JSON.stringify(schema)).not.toContain("additionalProperties")
  })

  it.each([
    ["a limit of length", field({ type: "string", minLength: 1 })],
    ["an object of any shape", field({ type: "object" })],
    ["a list of anything", field({ type: "array" })]
  ])("is not strict with %s", (_, single) => {
    expect(outputJsonSchema({ single }).strict).toBe(false)
  })

  it("writes whole floats as plain numbers", () => {
    const { schema } = outputJsonSchema({ n: field({ type: "number", enum: [new Float(1), 2] }) })
    expect(schema).toMatchObject({ properties: { n: { enum: [1, 2] } } })
  })
})
