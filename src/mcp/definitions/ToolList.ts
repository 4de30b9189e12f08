/** What is published: a function of the catalogue and the toolsets alone, so that the list never changes under a host. */
import type { CatalogueContents } from "../../catalogue/CatalogueEntry.ts"
import type { Toolset } from "../ServeFlags.ts"
import type { ToolDefinition } from "../ToolSurface.ts"
import { awaitRunTool } from "./AwaitRunTool.ts"
import { cancelRunTool } from "./CancelRunTool.ts"
import { findWorkflowTool } from "./FindWorkflowTool.ts"
import { listRunsTool } from "./ListRunsTool.ts"
import { runStatusTool } from "./RunStatusTool.ts"
import { runWorkflowTool } from "./RunWorkflowTool.ts"
import { workflowTool } from "./WorkflowTool.ts"

export const discoveryTools: ReadonlyArray<ToolDefinition> = [findWorkflowTool, runWorkflowTool]
export const runTools: ReadonlyArray<ToolDefinition> = [awaitRunTool, runStatusTool, cancelRunTool, listRunsTool]

/** Workflow tools by name (or the pair that stands for them), then the tools for runs. */
export const toolList = (
  contents: Pick<CatalogueContents, "entries" | "mode">,
  toolsets: ReadonlyArray<Toolset>
): ReadonlyArray<ToolDefinition> => [
  ...(toolsets.includes("workflows")
    ? contents.mode === "direct"
      ? contents.entries.map(workflowTool)
      : discoveryTools
    : []),
  ...(toolsets.includes("runs") ? runTools : [])
]
