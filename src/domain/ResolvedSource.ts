/**
 * Where a plugin source led that had to be fetched, when a run was prepared. It leads there for as long as the run goes on with
 * the workflow that it began with.
 */
import { Schema } from "effect"

/** `source`: as the workflow has it, without credentials. `folder`: absolute. */
export const ResolvedSource = Schema.Struct({ source: Schema.String, folder: Schema.String })
export type ResolvedSource = typeof ResolvedSource.Type
