/** The result of a tool as a model or a person reads it. Pure. */
import { get, isMap, stringifyJson, type Value, type ValueMap } from "../domain/Value.ts"
import type { ToolResult } from "./ToolServers.ts"

const textIn = (map: ValueMap, key: string): string | undefined => {
  const value = get(map, key)
  return typeof value === "string" ? value : undefined
}

/** What is no text is told of, since the model gets text alone. */
const inPlaceOf = (block: ValueMap): string => {
  const type = textIn(block, "type") ?? "unknown"
  const mimeType = textIn(block, "mimeType")
  return `[${type}${mimeType === undefined ? "" : ` of type ${mimeType}`}, which cannot be shown here]`
}

const resourceText = (resource: Value | undefined): string | undefined =>
  resource !== undefined && isMap(resource) ? textIn(resource, "text") : undefined

const blockText = (block: ValueMap): string => {
  switch (get(block, "type")) {
    case "text":
      return textIn(block, "text") ?? ""
    case "resource":
      return resourceText(get(block, "resource")) ?? inPlaceOf(block)
    case "resource_link":
      return textIn(block, "uri") ?? inPlaceOf(block)
    default:
      return inPlaceOf(block)
  }
}

/** Structured content counts when there is nothing else: servers repeat it as text. */
export const toolText = ({ content, structured }: ToolResult): string =>
  content.length === 0 && structured !== undefined ? stringifyJson(structured) : content.map(blockText).join("\n")
