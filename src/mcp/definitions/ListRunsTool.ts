import type { ToolDefinition } from "../ToolSurface.ts"
import { offsetParameter } from "./Parameters.ts"
import { errorSchema, nextSchema, statusSchema } from "./RunEnvelope.ts"
import { toolNames } from "./ToolNames.ts"

export const defaultListLimit = 20
export const maximumListLimit = 100

export const listRunsTool: ToolDefinition = {
  name: toolNames.list,
  title: "List runs",
  description:
    "Lists the runs of this machine, newest first, whoever started them. Use it to find a run_id again, or to see what is running.",
  inputSchema: {
    type: "object",
    properties: {
      status: statusSchema("Only runs in this state."),
      workflow: { type: "string", description: "Only runs of this workflow: its name, key or tool name." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: maximumListLimit,
        description: `Runs to return, up to ${maximumListLimit}. Left out: ${defaultListLimit}.`
      },
      offset: offsetParameter("Runs to skip: the next_offset of an earlier answer.")
    },
    additionalProperties: false
  },
  outputSchema: {
    type: "object",
    properties: {
      runs: {
        type: "array",
        description: "The runs, newest first.",
        items: {
          type: "object",
          properties: {
            run_id: { type: "string", description: "The name of the run." },
            status: statusSchema("The state of the run."),
            workflow: { type: "string", description: "Name of the workflow." },
            registry: { type: "string", description: "Where it comes from." },
            tool: { type: "string", description: "The tool that started the run, if one did." },
            step: { type: "string", description: "The step that runs now, or ran last." },
            started_at: { type: "string", description: "ISO 8601, UTC." },
            ended_at: { type: "string", description: "ISO 8601, UTC." },
            error: { type: "string", description: "Why the run failed, in short." }
          },
          required: ["run_id", "status", "workflow", "registry", "started_at"],
          additionalProperties: false
        }
      },
      total: { type: "integer", description: "All runs that match." },
      next_offset: { type: "integer", description: "Where the next page begins; absent on the last one." },
      warnings: { type: "array", items: { type: "string" }, description: "What could not be read." },
      error: errorSchema,
      next: nextSchema
    },
    required: ["next"],
    additionalProperties: false
  },
  annotations: { title: "List runs", readOnlyHint: true, idempotentHint: true, openWorldHint: false }
}
