/**
 * What hosts see of each tool, kept as a file each: a change of a schema is a change of our interface and must show in
 * review. After a wanted change run this test with UPDATE_GOLDEN=1.
 */
import { Ajv } from "ajv"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { discoveryTools, runTools } from "../../src/mcp/definitions/ToolList.ts"
import { workflowTool } from "../../src/mcp/definitions/WorkflowTool.ts"
import { entry, soak } from "../unit/mcp/Samples.ts"

const folder = fileURLToPath(new URL("tools/", import.meta.url))
const tools = [...discoveryTools, ...runTools, workflowTool(entry()), workflowTool(soak)]

describe("tool schemas", () => {
  for (const tool of tools) {
    it(`${tool.name} is what its snapshot says`, () => {
      const file = `${folder}${tool.name}.json`
      const now = `${JSON.stringify(tool, undefined, 2)}\n`
      if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, now)
      expect(now, `${file} is stale; if the change is wanted, run with UPDATE_GOLDEN=1`).toBe(
        readFileSync(file, "utf8")
      )
    })

    it(`${tool.name} has schemas that a strict validator takes, with closed root objects`, () => {
      const ajv = new Ajv({ strict: true, strictRequired: true, allowUnionTypes: false })
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(() => ajv.compile({ ...schema })).not.toThrow()
        expect(schema["type"]).toBe("object")
        expect(schema["additionalProperties"]).toBe(false)
      }
    })

    it(`${tool.name} keeps to what every host takes`, () => {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,39}$/)
      expect(Buffer.byteLength(tool.description)).toBeLessThanOrEqual(1_024)
      expect(tool.annotations.title).not.toBe("")
      const nodes = JSON.stringify([tool.inputSchema, tool.outputSchema])
      expect(nodes).not.toMatch(/"\$ref"|"\$defs"|"type":\[|"oneOf"|"allOf"/)
    })
  }

  it("there is no snapshot of a tool that is gone", () => {
    expect(readdirSync(folder).sort()).toEqual(tools.map(({ name }) => `${name}.json`).sort())
  })
})
