import type { ToolDefinition } from "../ToolSurface.ts"
import { runEnvelope } from "./RunEnvelope.ts"
import { offsetParameter, runIdParameter } from "./Parameters.ts"
import { toolNames } from "./ToolNames.ts"

/** Bytes of output text in one answer: small enough for hosts that show a model only 8 KB, unless more is asked for. */
export const defaultOutputLimit = 6_000
export const maximumOutputLimit = 100_000

export const runStatusTool: ToolDefinition = {
  name: toolNames.status,
  title: "Look at a run",
  description:
    "Returns the state of a run at once: progress while it runs, the output or the error when it has ended. " +
    `To wait for the end use ${toolNames.await} instead of asking again and again. ` +
    "With output_offset it returns a part of a large output.",
  inputSchema: {
    type: "object",
    properties: {
      run_id: runIdParameter,
      output_offset: offsetParameter(
        "Read the JSON text of the output from this byte: the next_offset of an earlier answer."
      ),
      output_limit: {
        type: "integer",
        minimum: 1,
        maximum: maximumOutputLimit,
        description: `Bytes of output text to read, up to ${maximumOutputLimit}. Left out: ${defaultOutputLimit}.`
      }
    },
    required: ["run_id"],
    additionalProperties: false
  },
  outputSchema: runEnvelope(),
  annotations: { title: "Look at a run", readOnlyHint: true, idempotentHint: true, openWorldHint: false }
}
