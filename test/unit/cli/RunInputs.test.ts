import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { runInputs, type GivenInputs } from "../../../src/cli/RunInputs.ts"
import type { InputDefinitions } from "../../../src/language/document/InputDefinition.ts"

const declared: InputDefinitions = {
  version: { type: "string", required: true },
  count: { type: "number", required: false },
  tags: { type: "array", required: false, default: [] }
}

const inputsOf = (given: Partial<GivenInputs>) => {
  const read = runInputs(declared, { texts: [], jsons: [], ...given })
  return Either.isRight(read) ? read.right : read.left
}

describe("the inputs of conductor run", () => {
  it("keep a declared text as it was typed, and read the others as values", () => {
    expect(inputsOf({ texts: ["version=1.10", "count=3", 'tags=["a"]'] })).toMatchObject({
      inputs: { version: "1.10", count: 3, tags: ["a"] }
    })
  })

  it("may hold = and nothing at all", () => {
    expect(inputsOf({ texts: ["version=a=b"] })).toMatchObject({ inputs: { version: "a=b" } })
    expect(inputsOf({ texts: ["version="] })).toMatchObject({ inputs: { version: "" } })
  })

  it("come from one JSON object or from name=<json>", () => {
    expect(inputsOf({ jsons: ['{"version":"1","count":2}'] })).toMatchObject({ inputs: { version: "1", count: 2 } })
    expect(inputsOf({ jsons: ['version="1"', "count=2"] })).toMatchObject({ inputs: { version: "1", count: 2 } })
  })

  it("that are wrong are told all at once, each by name", () => {
    expect(inputsOf({ texts: ["count=many"] })).toEqual([
      "missing input 'version'\n  -i version=<string>",
      "input 'count' must be of type number, not string"
    ])
    expect(inputsOf({ texts: ["version"], jsons: ["{", "[]"] })).toHaveLength(3)
  })

  it("that are missing because of a slip of the pen are told with the slip", () => {
    expect(inputsOf({ texts: ["versoin=1"] })).toContain(
      "the workflow does not declare an input 'versoin' (did you mean 'version'?)"
    )
  })

  it("that the workflow does not declare are passed on, with a note that names the nearest one", () => {
    expect(inputsOf({ texts: ["version=1", "cuont=2"] })).toMatchObject({
      inputs: { cuont: 2 },
      notes: [expect.stringContaining("did you mean 'count'?")]
    })
  })
})
