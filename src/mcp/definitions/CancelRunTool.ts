import type { ToolDefinition } from "../ToolSurface.ts"
import { runEnvelope } from "./RunEnvelope.ts"
import { runIdParameter } from "./Parameters.ts"
import { toolNames } from "./ToolNames.ts"

export const cancelRunTool: ToolDefinition = {
  name: toolNames.cancel,
  title: "Cancel a run",
  description:
    "Ends a run and everything that it started, and says what it took. What the run has already done stays done. " +
    "A run that has ended already is left as it is.",
  inputSchema: {
    type: "object",
    properties: { run_id: runIdParameter },
    required: ["run_id"],
    additionalProperties: false
  },
  outputSchema: runEnvelope(),
  annotations: {
    title: "Cancel a run",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false
  }
}
