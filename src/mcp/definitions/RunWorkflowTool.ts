import type { ToolDefinition } from "../ToolSurface.ts"
import { runEnvelope } from "./RunEnvelope.ts"
import { toolNames } from "./ToolNames.ts"

export const runWorkflowTool: ToolDefinition = {
  name: toolNames.run,
  title: "Run a workflow",
  description:
    `Starts a workflow that ${toolNames.find} found. The run goes on by itself, whatever becomes of this call or of the host; ` +
    "the answer holds its run_id.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: `The name of the workflow, exactly as ${toolNames.find} gives it.` },
      inputs: { type: "object", description: "The inputs, as the input_schema of the workflow describes them." },
      _wait_seconds: {
        type: "number",
        minimum: 0,
        description:
          "Seconds to wait for the result, cut to what the host and the server allow. Left out: the workflow decides. 0: return the run_id at once."
      }
    },
    required: ["name"],
    additionalProperties: false
  },
  outputSchema: runEnvelope(),
  annotations: { title: "Run a workflow", readOnlyHint: false, idempotentHint: false, openWorldHint: true }
}
