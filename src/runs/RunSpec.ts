/** `run.json`: what a run was asked to do and by whom, written once before the process starts and never changed. */
import { Schema } from "effect"
import { RunId } from "../domain/RunId.ts"
import { Pin } from "../domain/Pin.ts"
import { ResolvedReference } from "../domain/ResolvedReference.ts"
import { ResolvedSource } from "../domain/ResolvedSource.ts"

export const WorkflowIdentity = Schema.Struct({
  /** `workflow.name` of the file. In `run.json` it is the key, since whoever starts a run does not read workflows. */
  name: Schema.String,
  /** The registry that served it; `file` for a file named on the command line. */
  registry: Schema.String,
  /** Its key there: an index key or a file stem. */
  key: Schema.String,
  pin: Pin,
  /** Absolute path of the file. The run refuses it when it is not the one of the pin, and keeps a copy in its folder. */
  file: Schema.String
})
export type WorkflowIdentity = typeof WorkflowIdentity.Type

/** Who asked (mcp serve reference W46). */
export const Provenance = Schema.Struct({
  via: Schema.Literal("mcp", "cli", "library"),
  tool: Schema.optional(Schema.String),
  client: Schema.optional(Schema.String)
})
export type Provenance = typeof Provenance.Type

/** Absolute paths of files that instruct all agents of a run: `workspace` before what the workflow says, `given` after it. */
const InstructionFiles = Schema.Struct({ workspace: Schema.Array(Schema.String), given: Schema.Array(Schema.String) })
export type InstructionFiles = typeof InstructionFiles.Type

export const RunSpec = Schema.Struct({
  version: Schema.Literal(1),
  run_id: RunId,
  workflow: WorkflowIdentity,
  /** JSON text that keeps number kinds (`stringifyJson`). */
  inputs: Schema.String,
  metadata: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** Working directory of the run: absolute. */
  launch_directory: Schema.String,
  provider: Schema.optional(Schema.String),
  /** `skip`: gates take their first option and questions their defaults. */
  gates: Schema.optional(Schema.Literal("ask", "skip")),
  instructions: Schema.optional(InstructionFiles),
  provenance: Provenance,
  /** The run whose log this one began with a copy of, up to the start of `step`. */
  forked_from: Schema.optional(Schema.Struct({ run_id: RunId, step: Schema.String })),
  /** By absolute path: what a fork took over of the files that the run is made of. Others tell it in their log. */
  included_files: Schema.optional(Schema.Record({ key: Schema.String, value: Pin })),
  /** What a fork took over of where references lead. */
  resolved_references: Schema.optional(Schema.Array(ResolvedReference)),
  /** And of where plugin sources lead. */
  resolved_sources: Schema.optional(Schema.Array(ResolvedSource)),
  /** ISO 8601, UTC. */
  created_at: Schema.String
})
export type RunSpec = typeof RunSpec.Type
