/** Events of LLM steps. */
import type { Value } from "../Value.ts"
import type { Failure, InSession, OfStep, Termination, Timed, Tokens } from "./EventParts.ts"

export interface AgentEvents {
  /** `working_dir`: of model steps. */
  readonly agent_started: OfStep & {
    readonly iteration: number
    readonly agent_type: string
    readonly working_dir?: string | null
  }
  readonly agent_prompt_rendered: OfStep & {
    readonly rendered_prompt: string
    readonly context_keys: ReadonlyArray<string>
  }
  readonly skill_injection_warning: OfStep & {
    readonly bytes: number
    readonly approx_tokens: number
    readonly warn_bytes: number
    readonly provider: string
    /** Bytes by skill. */
    readonly breakdown: Readonly<Record<string, number>>
  }
  /** A model is asked; it has not answered yet. */
  readonly agent_turn_start: OfStep & { readonly turn: "awaiting_model" }
  readonly agent_message: OfStep & { readonly content: string }
  /** Arguments and results are excerpts, of 500 characters at most. Calls of one step follow each other. */
  readonly agent_tool_start: OfStep & { readonly tool_name: string; readonly arguments: string }
  readonly agent_tool_complete: OfStep & {
    readonly tool_name: string
    readonly result: string
    readonly is_error: boolean
  }
  /** `spill_path`: the file that has all of it, absolute. */
  readonly agent_tool_output_truncated: OfStep & {
    readonly tool_name: string
    readonly original_chars: number
    readonly kept_chars: number
    readonly spill_path: string | null
  }
  readonly agent_retry: OfStep &
    Failure & {
      readonly attempt: number
      readonly max_attempts: number
      readonly error: string
      readonly delay: number
    }
  readonly agent_parse_recovery: OfStep & {
    readonly attempt: number
    readonly max_attempts: number
    readonly reason: "syntax" | "schema"
    readonly error: string
  }
  readonly agent_timeout: OfStep & Timed & { readonly timeout_seconds: number }
  readonly agent_validator_start: OfStep & { readonly model: string | null; readonly criteria_preview: string }
  /** `errored`: there was no usable verdict, which counts as a pass. */
  readonly agent_validator_complete: OfStep &
    Timed &
    Tokens & {
      readonly passed: boolean
      readonly issues: ReadonlyArray<string>
      readonly errored: boolean
      readonly model: string | null
    }
  readonly agent_validation_failed: OfStep & {
    readonly issues: ReadonlyArray<string>
    readonly will_retry: boolean
    readonly rerun_errored?: true
  }
  /** What the output cost that a validator refused and another one replaced. */
  readonly agent_output_discarded: OfStep & Tokens & { readonly model: string | null }
  readonly agent_completed: OfStep &
    Timed &
    InSession &
    Tokens & {
      readonly agent_type?: string
      readonly model: string | null
      readonly output: Value
      readonly output_keys: ReadonlyArray<string>
    } & Partial<Termination>
  /** Of a node of any kind, groups included; with the termination fields, of a `terminate` step that did what it should. */
  readonly agent_failed: OfStep &
    Timed &
    Failure & { readonly agent_type: string; readonly output?: Value } & Partial<Termination>
}
