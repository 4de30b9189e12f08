/** What is known of a run: a fold over its spec, its events and its process. Every face shows this and nothing else. */
import type { RunId } from "../domain/RunId.ts"
import type { OpenGate } from "../domain/Gate.ts"
import type { RunStatus } from "../domain/RunStatus.ts"
import type { Usage } from "../domain/events/EventParts.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { Provenance, WorkflowIdentity } from "./RunSpec.ts"

export interface RunError {
  /** The reference's error class name, `Cancelled` or `Lost`. */
  readonly type: string
  readonly message: string
  readonly step: string | null
}

export interface RunProgress {
  /** Name of the node that runs now, or ran last. */
  readonly step: string | null
  readonly stepsCompleted: number
  /** Nodes of the plan; a loop may complete more steps than this. */
  readonly stepsTotal: number
  readonly usage: Usage
}

export interface RunView {
  readonly runId: RunId
  readonly status: RunStatus
  readonly workflow: WorkflowIdentity
  readonly provenance: Provenance
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly endedAt?: string
  readonly progress: RunProgress
  /** What the run waits for a person to answer, while its status is `awaiting_gate`; of several, what was asked first. */
  readonly gate?: OpenGate
  /** Present when the run completed, or a `terminate` step gave one. */
  readonly output?: ValueMap
  readonly error?: RunError
  readonly lastEvent?: { readonly seq: number; readonly type: string; readonly at: string }
  /** Process of the run while it lives. */
  readonly pid?: number
  /** Things that went wrong beside the run. */
  readonly warnings: ReadonlyArray<string>
  /** Absolute paths. */
  readonly files: { readonly events: string; readonly stdout: string; readonly stderr: string }
}
