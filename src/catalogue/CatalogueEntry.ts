/** One workflow as it is served: the frozen facts that tools, summaries and launches are made from. Plain JSON. */
import type { Json } from "../domain/Value.ts"
import type { Pin } from "../domain/Pin.ts"

export type JsonSchema = { readonly [keyword: string]: Json }

export interface CatalogueEntry {
  /** `^[a-z][a-z0-9_]{0,39}$`, with the operator's prefix. */
  readonly tool: string
  readonly registry: string
  readonly key: string
  /** `workflow.name`, for people. */
  readonly title: string
  /** Sanitised, at most 1 KB, mode suffix included. */
  readonly description: string
  /** Absolute path. */
  readonly file: string
  readonly pin: Pin
  readonly mode: "async" | "sync" | "auto"
  readonly readOnly?: boolean
  readonly destructive?: boolean
  /** Safe subset of MCP hosts §4: root object, closed, `_wait_seconds` last. */
  readonly inputSchema: JsonSchema
  /** Tool parameter → workflow input, where they differ (keys that hosts would reject). */
  readonly parameters: Readonly<Record<string, string>>
  /** Schema of the value under `output` of the result envelope; `{}` when nothing is known. */
  readonly outputSchema: JsonSchema
  /** Why the schema is permissive: what could not be read. */
  readonly degraded?: string
  /** The rung that lets it be served, in words. */
  readonly exposedBy: string
}

export interface ExcludedEntry {
  readonly registry: string
  readonly key: string
  readonly rung: "registry" | "deny" | "allow" | "expose" | "unknown-exposure" | "rejected"
  readonly reason: string
}

export interface Collision {
  /** The bare name that nobody got. */
  readonly name: string
  readonly tools: ReadonlyArray<{ readonly tool: string; readonly registry: string; readonly key: string }>
}

export interface CatalogueContents {
  /** Sorted by tool name. */
  readonly entries: ReadonlyArray<CatalogueEntry>
  readonly excluded: ReadonlyArray<ExcludedEntry>
  readonly collisions: ReadonlyArray<Collision>
  /** Registries and folders that could not be read, each with reason and remedy. */
  readonly warnings: ReadonlyArray<string>
  /** `discovery` when more workflows are exposed than `maxDirectTools`. */
  readonly mode: "direct" | "discovery"
}
