/** `process.json`: which process holds a run. Written once, by that process, before the first event. */
import { Schema } from "effect"
import { ProcessIdentity } from "../platform/ProcessIdentity.ts"

export const ProcessRecord = Schema.Struct({
  process: ProcessIdentity,
  /** ISO 8601, UTC. */
  launched_at: Schema.String
})
export type ProcessRecord = typeof ProcessRecord.Type
