/** Where the reference of a `workflow` step led when a run was prepared. It leads there for the whole life of the run. */
import { Schema } from "effect"

/** All paths are absolute. `directory` is that of the workflow that has the step. */
export const ResolvedReference = Schema.Struct({
  reference: Schema.String,
  directory: Schema.String,
  file: Schema.String
})
export type ResolvedReference = typeof ResolvedReference.Type
