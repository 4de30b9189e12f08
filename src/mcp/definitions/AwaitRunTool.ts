import type { ToolDefinition } from "../ToolSurface.ts"
import { runEnvelope } from "./RunEnvelope.ts"
import { runIdParameter } from "./Parameters.ts"
import { toolNames } from "./ToolNames.ts"

export const awaitRunTool: ToolDefinition = {
  name: toolNames.await,
  title: "Wait for a run",
  description:
    "Waits until a run ends or needs a person, and returns its state, with the output when it completed. " +
    "Returns `running` when the wait is over first: call it again. Giving up the call does not stop the run.",
  inputSchema: {
    type: "object",
    properties: {
      run_id: runIdParameter,
      wait_seconds: {
        type: "number",
        minimum: 0,
        description:
          "Longest time to wait. Left out: 45 seconds, or less where the host allows less. Longer waits are cut to what the host and the server allow."
      }
    },
    required: ["run_id"],
    additionalProperties: false
  },
  outputSchema: runEnvelope(),
  annotations: { title: "Wait for a run", readOnlyHint: true, idempotentHint: true, openWorldHint: false }
}
