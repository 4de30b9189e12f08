import type { ToolDefinition } from "../ToolSurface.ts"
import { offsetParameter } from "./Parameters.ts"
import { errorSchema, nextSchema } from "./RunEnvelope.ts"
import { toolNames } from "./ToolNames.ts"

export const defaultFindLimit = 5
export const maximumFindLimit = 50

export const findWorkflowTool: ToolDefinition = {
  name: toolNames.find,
  title: "Find a workflow",
  description:
    "Searches the workflows that can be run, best match first, and returns for each its name, description and input schema. " +
    `Without a query it lists all of them by name. Run one with ${toolNames.run}.`,
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "Words to look for in names and descriptions." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: maximumFindLimit,
        description: `Workflows to return, up to ${maximumFindLimit}. Left out: ${defaultFindLimit}.`
      },
      offset: offsetParameter("Matches to skip: the next_offset of an earlier answer.")
    },
    additionalProperties: false
  },
  outputSchema: {
    type: "object",
    properties: {
      workflows: {
        type: "array",
        description: "The matches, best first.",
        items: {
          type: "object",
          properties: {
            name: { type: "string", description: `The name to give to ${toolNames.run}.` },
            title: { type: "string", description: "Name of the workflow." },
            description: { type: "string", description: "What it does." },
            registry: { type: "string", description: "Where it comes from." },
            workflow: { type: "string", description: "Its key there." },
            input_schema: { type: "object", description: "JSON Schema of its inputs." },
            read_only: { type: "boolean", description: "Whether it says that it changes nothing." },
            destructive: { type: "boolean", description: "Whether it says that it may destroy something." }
          },
          required: ["name", "title", "description", "registry", "workflow", "input_schema"],
          additionalProperties: false
        }
      },
      total: { type: "integer", description: "All workflows that match." },
      next_offset: { type: "integer", description: "Where the next page begins; absent on the last one." },
      error: errorSchema,
      next: nextSchema
    },
    required: ["next"],
    additionalProperties: false
  },
  annotations: { title: "Find a workflow", readOnlyHint: true, idempotentHint: true, openWorldHint: false }
}
