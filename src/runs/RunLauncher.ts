/** The port that starts runs: a proven start, or the reason why there is none. */
import { Context, type Effect } from "effect"
import type { Pin } from "../domain/Pin.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { LaunchError } from "./RunErrors.ts"
import type { InstructionFiles, Provenance } from "./RunSpec.ts"
import type { RunView } from "./RunView.ts"

export interface LaunchRequest {
  /** Absolute path of the workflow file. */
  readonly file: string
  readonly registry: string
  readonly key: string
  /** When given, the file must still have exactly these bytes; otherwise the launch fails with reason `drift`. */
  readonly pin?: Pin
  readonly inputs: ValueMap
  readonly metadata: Readonly<Record<string, string>>
  /** Absolute path. */
  readonly launchDirectory: string
  readonly provider?: string
  /** `skip`: nobody is asked, gates take their first option and questions their defaults. */
  readonly gates?: "ask" | "skip"
  readonly instructions?: InstructionFiles
  readonly provenance: Provenance
}

export class RunLauncher extends Context.Tag("conductor/RunLauncher")<
  RunLauncher,
  {
    /** Ends when `workflow_started` is on disk. Interrupting it before that leaves no process and no run behind. */
    readonly launch: (request: LaunchRequest) => Effect.Effect<RunView, LaunchError>
  }
>() {}
