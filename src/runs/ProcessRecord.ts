/** `process.json`: which process holds a run, or held it last. Written by that process before it writes any event. */
import { Schema } from "effect"
import { ProcessIdentity } from "../platform/ProcessIdentity.ts"

export const ProcessRecord = Schema.Struct({
  process: ProcessIdentity,
  /** ISO 8601, UTC. */
  launched_at: Schema.String
})
export type ProcessRecord = typeof ProcessRecord.Type
