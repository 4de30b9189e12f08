/**
 * The port between the protocol and the tools: plain types, so that the protocol adapter needs no Effect and the tools
 * need no SDK. A result is what a model reads; it has already passed the boundary.
 */
import type { JsonSchema } from "../catalogue/CatalogueEntry.ts"
import type { Json } from "../domain/Value.ts"

export type JsonObject = { readonly [key: string]: Json }

/** Hints, not promises: hosts decide by them what to ask a person for and what to run side by side. */
interface ToolAnnotations {
  readonly title: string
  readonly readOnlyHint: boolean
  /** Absent = unknown, which hosts take for the worse. */
  readonly destructiveHint?: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  /** Plain text, at most 1 KB; the first sentence must carry it. */
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
}

/** Tells the caller how far the work is. `progress` must grow with each call. */
export type ReportProgress = (progress: number, total: number | undefined, message: string) => void

export interface Client {
  readonly name: string
  readonly version: string
}

export interface ToolCall {
  readonly name: string
  readonly arguments: JsonObject
  /** Fires when the caller gave up. Only the call may stop then, never the run. */
  readonly signal: AbortSignal
  /** Present when the caller asked for progress. */
  readonly progress?: ReportProgress
  readonly client?: Client
}

export interface ToolResult {
  readonly structuredContent: JsonObject
  /** The same facts as `structuredContent`, at most 8 KB: some hosts show a model only this. */
  readonly text: string
  /** The call could not do what it was asked to. A run that failed is not such an error: its state is the answer. */
  readonly isError: boolean
}

export interface ToolSurface {
  /** How to use the tools, at most 2 KB. Known before the tools are. */
  readonly instructions: string
  /** Always the same list in the same order. May have to wait until the catalogue is built. */
  readonly tools: () => Promise<ReadonlyArray<ToolDefinition>>
  /** Only for names that `tools` gives. Rejects only on a defect of this program. */
  readonly call: (call: ToolCall) => Promise<ToolResult>
  /** The host has what it needs to begin: time for work that may come early, but not before the first answer. */
  readonly connected: () => void
}
