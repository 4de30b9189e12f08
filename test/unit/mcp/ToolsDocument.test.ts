import { describe, expect, it } from "vitest"
import { reservedNames } from "../../../src/mcp/definitions/ToolNames.ts"
import { toolsDocument } from "../../../src/mcp/ToolsDocument.ts"

describe("the document of the tools", () => {
  it("has a section for each tool, and each table row has as many cells as its head", () => {
    const document = toolsDocument()
    for (const name of reservedNames) expect(document).toContain(`## ${name}\n`)
    const tableRows = document.split("\n").filter((line) => line.startsWith("|"))
    expect(tableRows.length).toBeGreaterThan(50)
    for (const row of tableRows) expect(row.split(/(?<!\\)\|/)).toHaveLength(6)
  })
})
