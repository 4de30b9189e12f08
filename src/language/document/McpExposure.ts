/** `workflow.mcp`: how the workflow is served as an MCP tool. An absent block means the defaults. */
import { Schema } from "effect"
import { closed, optional, withDefault } from "./Keyed.ts"
import { Flag, integer } from "./Scalars.ts"

/** `read_only` and `destructive` stay absent unless declared, so that no hint is asserted that nobody gave. */
export const McpExposure = closed({
  expose: withDefault(Flag, true),
  mode: withDefault(Schema.Literal("async", "sync", "auto"), "async"),
  read_only: optional(Flag),
  destructive: optional(Flag),
  estimated_minutes: optional(integer({ min: 1 }))
})
export type McpExposure = typeof McpExposure.Type

export const defaultExposure: McpExposure = { expose: true, mode: "async" }
