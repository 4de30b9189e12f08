/** Events of the steps that ask neither a model nor a person. */
import type { Value } from "../Value.ts"
import type { Failure, OfStep, Timed } from "./EventParts.ts"

interface OfTool {
  readonly server: string
  readonly tool: string
}

export interface StepEvents {
  readonly script_started: OfStep & { readonly iteration: number }
  readonly script_completed: OfStep &
    Timed & {
      readonly stdout: string
      readonly stderr: string
      readonly exit_code: number
      readonly stdin_bytes: number | null
      readonly output: Value
    }
  readonly script_failed: OfStep &
    Timed &
    Failure & { readonly stdout?: string; readonly stderr?: string; readonly exit_code?: number }
  readonly set_started: OfStep & { readonly iteration: number }
  readonly set_completed: OfStep &
    Timed & {
      readonly output_type: string
      readonly output_keys: ReadonlyArray<string>
      readonly value_repr: string
      readonly output: Value
    }
  readonly set_failed: OfStep & Timed & Failure
  readonly wait_started: OfStep & {
    readonly iteration: number
    readonly duration_seconds: number | null
    readonly reason: string | null
  }
  readonly wait_completed: OfStep &
    Timed & {
      readonly waited_seconds: number
      readonly requested_seconds: number
      readonly reason: string | null
      readonly interrupted: boolean
      readonly output: Value
    }
  readonly wait_failed: OfStep & Timed & Failure
  /** Ours, like the step. */
  readonly mcp_started: OfStep & OfTool & { readonly iteration: number }
  /** `is_error`: the tool says that it failed, which is a result. */
  readonly mcp_completed: OfStep & OfTool & Timed & { readonly is_error: boolean; readonly output: Value }
  readonly mcp_failed: OfStep & OfTool & Timed & Failure
}
