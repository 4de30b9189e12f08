/** A workflow as a tool of its own. Everything in it was sanitised when the catalogue was built. */
import type { CatalogueEntry } from "../../catalogue/CatalogueEntry.ts"
import type { ToolDefinition } from "../ToolSurface.ts"
import { runEnvelope } from "./RunEnvelope.ts"

export const workflowTool = (entry: CatalogueEntry): ToolDefinition => ({
  name: entry.tool,
  title: entry.title,
  description: entry.description,
  inputSchema: entry.inputSchema,
  outputSchema: runEnvelope(entry.outputSchema),
  annotations: {
    title: entry.title,
    readOnlyHint: entry.readOnly === true,
    // Only what the author declared: claiming that a workflow destroys nothing would be a guess (mcp serve reference W3).
    ...(entry.destructive === undefined ? {} : { destructiveHint: entry.destructive }),
    idempotentHint: false,
    openWorldHint: true
  }
})
