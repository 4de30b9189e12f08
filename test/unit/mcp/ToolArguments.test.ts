/** What a schema promises must be what a handler takes: a model can only know the schema. */
import { Ajv } from "ajv"
import { Either, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { awaitRunTool } from "../../../src/mcp/definitions/AwaitRunTool.ts"
import { cancelRunTool } from "../../../src/mcp/definitions/CancelRunTool.ts"
import { findWorkflowTool } from "../../../src/mcp/definitions/FindWorkflowTool.ts"
import { listRunsTool } from "../../../src/mcp/definitions/ListRunsTool.ts"
import { runStatusTool } from "../../../src/mcp/definitions/RunStatusTool.ts"
import { runWorkflowTool } from "../../../src/mcp/definitions/RunWorkflowTool.ts"
import { AwaitRunArguments } from "../../../src/mcp/handlers/AwaitRun.ts"
import { CancelRunArguments } from "../../../src/mcp/handlers/CancelRun.ts"
import { FindWorkflowArguments } from "../../../src/mcp/handlers/FindWorkflow.ts"
import { ListRunsArguments } from "../../../src/mcp/handlers/ListRuns.ts"
import { RunStatusArguments } from "../../../src/mcp/handlers/RunStatus.ts"
import { RunWorkflowArguments } from "../../../src/mcp/handlers/RunWorkflow.ts"

const tools = [
  [awaitRunTool, AwaitRunArguments],
  [runStatusTool, RunStatusArguments],
  [cancelRunTool, CancelRunArguments],
  [listRunsTool, ListRunsArguments],
  [findWorkflowTool, FindWorkflowArguments],
  [runWorkflowTool, RunWorkflowArguments]
] as const

const numbers = [-1, 0, 0.5, 1, 50, 51, 100, 101, 100_000, 100_001, 1e300]
const value = fc.constantFrom<unknown>("", "text", "running", "lost", true, [], {}, { a: 1 }, ...numbers)

describe("arguments", () => {
  for (const [tool, schema] of tools) {
    it(`${tool.name} takes exactly what its schema allows`, () => {
      const isAllowed = new Ajv({ strict: true }).compile({ ...tool.inputSchema })
      const decode = Schema.decodeUnknownEither(schema as Schema.Schema<unknown>, { onExcessProperty: "error" })
      const keys = [...Object.keys(Object(tool.inputSchema["properties"])), "unknown"]
      const given = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: keys.length, noNullPrototype: true })
      fc.assert(
        fc.property(given, (given) => {
          expect(Either.isRight(decode(given))).toBe(isAllowed(given))
        }),
        { numRuns: 1_000 }
      )
    })
  }
})
