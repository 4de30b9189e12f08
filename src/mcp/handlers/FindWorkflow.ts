/** `conductor_find_workflow`: searches what is served. Titles, descriptions and schemas were
 * sanitised with the catalogue; registry and key are names of files. */
import { Effect, Schema } from "effect"
import { Boundary, type BoundaryShape } from "../../boundary/Boundary.ts"
import type { CatalogueEntry } from "../../catalogue/CatalogueEntry.ts"
import { defaultFindLimit, maximumFindLimit } from "../definitions/FindWorkflowTool.ts"
import { largestOffset } from "../definitions/Parameters.ts"
import { toolNames } from "../definitions/ToolNames.ts"
import { pageAnswer } from "../PageAnswer.ts"
import { ServeContext } from "../ServeContext.ts"
import type { JsonObject, ToolCall } from "../ToolSurface.ts"
import { searchWorkflows } from "../WorkflowSearch.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const FindWorkflowArguments = Schema.Struct({
  query: Schema.optional(Schema.String),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, maximumFindLimit))),
  offset: Schema.optional(Schema.Int.pipe(Schema.between(0, largestOffset)))
})

const itemOf = (entry: CatalogueEntry, boundary: BoundaryShape): JsonObject => ({
  name: entry.tool,
  title: entry.title,
  description: entry.description,
  registry: boundary.description(entry.registry),
  workflow: boundary.description(entry.key),
  input_schema: entry.inputSchema,
  ...(entry.readOnly === undefined ? {} : { read_only: entry.readOnly }),
  ...(entry.destructive === undefined ? {} : { destructive: entry.destructive })
})

const briefly = (item: JsonObject): JsonObject => ({
  ...item,
  input_schema: { note: "too large for this text; structuredContent has it" }
})

const nextText = (total: number, nextOffset: number | undefined): string => {
  if (total === 0)
    return `Nothing matches; try other words, or call ${toolNames.find} without a query to see everything.`
  const more =
    nextOffset === undefined ? "" : ` For more matches call ${toolNames.find} again with offset: ${nextOffset}.`
  return `Call ${toolNames.run}(name, inputs) with inputs by the input_schema.${more}`
}

export const findWorkflowHandler = Effect.fn("findWorkflowHandler")(function* (call: ToolCall) {
  const boundary = yield* Boundary
  const { contents } = yield* ServeContext
  const {
    query = "",
    limit = defaultFindLimit,
    offset = 0
  } = yield* decodeToolArguments(toolNames.find, FindWorkflowArguments, call.arguments)
  const matches = searchWorkflows(contents.entries, query)
  return pageAnswer({
    key: "workflows",
    items: matches.slice(offset, offset + limit).map((entry) => itemOf(entry, boundary)),
    brief: briefly,
    offset,
    total: matches.length,
    next: (nextOffset) => nextText(matches.length, nextOffset)
  })
})
