/**
 * The vocabulary of the event log. A run is its events: whatever a reader wants to know (status, progress, output,
 * cost) is a fold over them. Names and data are the reference's (run files and events §2), with two additions: `seq`
 * counts the events of a run from 1 without gaps, and every event that finishes a node carries its `output`.
 */
import { Schema } from "effect"
import type { Value, ValueMap } from "./Value.ts"

/** Fields common to failures: the reference's error class name, and a message that ends with what to do. */
export interface Failure {
  readonly error_type: string
  readonly message: string
}

export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

interface OfStep {
  readonly agent_name: string
}

/** Seconds since the step started. */
interface Timed {
  readonly elapsed: number
}

interface Termination {
  readonly termination_reason: string
  readonly terminated_by: string
  readonly is_explicit: true
  readonly status: "success" | "failed"
}

/** Data by event type. Chains of sub-workflows add `subworkflow_path`; readers tolerate types they do not know. */
export interface RunEventData {
  readonly workflow_started: {
    readonly name: string
    readonly version: string
    readonly run_id: string
    readonly entry_point: string
    readonly agents: ReadonlyArray<ValueMap>
    readonly parallel_groups: ReadonlyArray<ValueMap>
    readonly for_each_groups: ReadonlyArray<ValueMap>
    readonly routes: ReadonlyArray<ValueMap>
    readonly metadata: ValueMap
    readonly inputs: ValueMap
    readonly system: ValueMap
  }
  readonly workflow_completed: Timed & { readonly output: ValueMap } & Partial<Termination>
  readonly workflow_failed: Failure & {
    readonly elapsed: number
    readonly agent_name: string | null
    readonly output?: ValueMap
    readonly elapsed_seconds?: number
    readonly timeout_seconds?: number
    readonly current_agent?: string
  } & Partial<Termination>
  readonly workflow_cancelled: Timed & { readonly reason: string; readonly agent_name: string | null }

  readonly agent_started: OfStep & { readonly iteration: number; readonly agent_type: string }
  readonly agent_prompt_rendered: OfStep & {
    readonly rendered_prompt: string
    readonly context_keys: ReadonlyArray<string>
  }
  readonly agent_message: OfStep & { readonly content: string }
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
  readonly agent_completed: OfStep &
    Timed & {
      readonly agent_type?: string
      readonly model: string | null
      readonly tokens: number
      readonly input_tokens: number
      readonly output_tokens: number
      readonly cost_usd: number | null
      readonly output: Value
      readonly output_keys: ReadonlyArray<string>
    } & Partial<Termination>
  readonly agent_failed: OfStep &
    Timed &
    Failure & { readonly agent_type: string; readonly output?: Value } & Partial<Termination>

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

  readonly route_taken: {
    readonly from_agent: string
    readonly to_agent: string
    /** The route's own output values, when it ends the run. */
    readonly output?: ValueMap
  }
  readonly iteration_limit_reached: OfStep & {
    readonly current_iteration: number
    readonly max_iterations: number
    readonly agent_history: ReadonlyArray<string>
    readonly possible_loop: boolean
  }
  readonly iteration_limit_resolved: OfStep & {
    readonly continue_execution: boolean
    readonly additional_iterations: number
  }
  /** Something went wrong beside the run and did not stop it: a full disk, a locked index. Said out loud here. */
  readonly run_warning: { readonly warning: string }
}

export type RunEventType = keyof RunEventData

/** One line of `events.jsonl`. `timestamp` is unix time in seconds, with a fraction. */
export type RunEvent = {
  readonly [T in RunEventType]: {
    readonly seq: number
    readonly type: T
    readonly timestamp: number
    readonly data: RunEventData[T]
  }
}[RunEventType]

/** The data as a plain map, for readers that show events and need not understand them. */
export const eventData = (event: RunEvent): ValueMap => ({ ...event.data })

/** The last event of a run: after it nothing is appended, unless the run is resumed with a second `workflow_started`. */
const terminalTypes: ReadonlySet<string> = new Set<RunEventType>([
  "workflow_completed",
  "workflow_failed",
  "workflow_cancelled"
])
export const isTerminalEvent = (event: RunEvent): boolean => terminalTypes.has(event.type)

/** What a line of the log must at least be. `data` is trusted further in: the only writer is this program. */
export const RunEventEnvelope = Schema.Struct({
  seq: Schema.Int.pipe(Schema.positive()),
  type: Schema.String,
  timestamp: Schema.Number,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
