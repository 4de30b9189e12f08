/** Where a plugin source led that had to be fetched, when a run was prepared. It leads there for the whole life of the run. */
import { Schema } from "effect"

/** `source`: as the workflow has it. `folder`: absolute. */
export const ResolvedSource = Schema.Struct({ source: Schema.String, folder: Schema.String })
export type ResolvedSource = typeof ResolvedSource.Type
