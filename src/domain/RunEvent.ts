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

interface OfGroup {
  readonly group_name: string
}

/** `item_key` is the index as text unless the group has a `key_by`; `index` counts from 0 in the source. */
interface OfItem extends OfGroup {
  readonly item_key: string
  readonly index: number
}

/** `index` is the member's place in the group. */
interface OfMember extends OfGroup, OfStep {
  readonly index: number
}

/** `suggestion` is what groups show beside the message. */
interface MemberFailure extends Failure {
  readonly suggestion: string | null
}

interface Tokens {
  readonly tokens: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

interface OfTool {
  readonly server: string
  readonly tool: string
}

/** Counts of what the group stores; `output` is absent when the group failed. */
interface GroupEnd extends OfGroup, Timed {
  readonly success_count: number
  readonly failure_count: number
  readonly output?: Value
}

/** What an LLM step that has a `session_key` said in its session; the reply is the output. Ours: the next one needs it. */
export type SessionTurn = {
  readonly key: string
  /** Absolute. */
  readonly working_dir: string
  /** Of the step itself, without what is put around it. */
  readonly prompt: string
}

interface InSession {
  readonly session?: SessionTurn
}

interface OfDialog extends OfStep {
  readonly dialog_id: string
}

interface OfSubWorkflow extends OfStep {
  readonly iteration: number
  readonly parent_path: ReadonlyArray<string>
  /** What the events of the sub-workflow carry as the last entry of their path. */
  readonly slot_key: string
}

/**
 * Where an event comes from when it is not from a step of the root's own loop. Every event can have these fields, and
 * only the journal that a member or a sub-workflow writes to adds them.
 */
export interface Origin {
  /** The slots of the sub-workflows on the way down from the root. */
  readonly subworkflow_path?: ReadonlyArray<string>
  /** The group that the step is a member or an item of. */
  readonly group_name?: string
  readonly item_key?: string
  readonly index?: number
}

/** An option as it is shown: `route` is empty for a question, which is no fork of the run. */
type ShownOption = {
  readonly label: string
  readonly value: string
  readonly route: string
  readonly prompt_for: string | null
  readonly multiline: boolean
}

/** A question as it is asked, with its templates rendered. */
export type AskedQuestion = {
  readonly id: string
  readonly text: string
  readonly hint: string | null
  readonly choices: ReadonlyArray<string>
  readonly allow_free_text: boolean
  readonly default: string | null
  readonly required: boolean
  readonly multiline: boolean
}

export type AnswerSource = "choice" | "free_text" | "default" | "skipped"

/** Prompts of a `questions` step and of a dialog are presented like gates. */
interface OfPrompt extends OfStep {
  readonly prompt_id: string
  readonly step_type?: "questions" | "dialog"
}

/** Data by event type, without its `Origin`; readers tolerate types they do not know. */
export interface RunEventData {
  readonly workflow_started: {
    readonly name: string
    readonly version: string
    /** Empty in a sub-workflow, as `log_file` is. */
    readonly run_id: string
    readonly log_file: string
    readonly entry_point: string
    readonly agents: ReadonlyArray<ValueMap>
    readonly parallel_groups: ReadonlyArray<ValueMap>
    readonly for_each_groups: ReadonlyArray<ValueMap>
    readonly routes: ReadonlyArray<ValueMap>
    /** By name. */
    readonly providers: ValueMap
    /** The workflow file as it was read; only of a root that came from one. */
    readonly yaml_source?: string
    readonly metadata: ValueMap
    readonly inputs: ValueMap
    readonly system: ValueMap
    /** The limit that holds from here on. */
    readonly max_iterations: number
  }
  readonly workflow_completed: Timed & { readonly output: ValueMap } & Partial<Termination>
  readonly workflow_failed: Failure & {
    readonly elapsed: number
    readonly agent_name: string | null
    readonly output?: ValueMap
    readonly elapsed_seconds?: number
    readonly timeout_seconds?: number
    readonly current_agent?: string
    readonly budget_usd?: number
    readonly spent_usd?: number
  } & Partial<Termination>
  readonly workflow_cancelled: Timed & { readonly reason: string; readonly agent_name: string | null }

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

  readonly parallel_started: OfGroup & { readonly agents: ReadonlyArray<string> }
  readonly parallel_agent_started: OfMember & { readonly working_dir: string | null }
  readonly parallel_agent_completed: OfMember &
    Timed &
    InSession &
    Tokens & { readonly agent_type: string; readonly model: string | null; readonly output: Value }
  readonly parallel_agent_failed: OfMember & Timed & MemberFailure
  readonly parallel_completed: GroupEnd

  readonly for_each_started: OfGroup & {
    readonly item_count: number
    readonly max_concurrent: number
    readonly failure_mode: string
  }
  readonly for_each_item_started: OfItem
  readonly for_each_agent_started: OfStep & OfItem & { readonly working_dir: string | null }
  /** With the slot of the item's sub-workflow, if it is one. */
  readonly for_each_item_completed: OfItem &
    Timed &
    InSession &
    Tokens & { readonly model: string | null; readonly output: Value; readonly slot_key?: string }
  readonly for_each_item_failed: OfItem & Timed & MemberFailure & { readonly slot_key?: string }
  readonly for_each_completed: GroupEnd
  /** The source was an empty list: nothing ran, and `output` is stored. The reference tells nothing at all. */
  readonly for_each_skipped: OfGroup & { readonly output: Value }

  readonly subworkflow_started: OfSubWorkflow & { readonly workflow: string }
  readonly subworkflow_completed: OfSubWorkflow & Timed & { readonly output: ValueMap }
  readonly subworkflow_failed: OfSubWorkflow & Timed & Failure

  readonly gate_presented: OfPrompt & {
    readonly prompt: string
    readonly options: ReadonlyArray<string>
    readonly option_details: ReadonlyArray<ShownOption>
  }
  readonly gate_resolved: OfPrompt & {
    readonly selected_option: string
    readonly route: string
    readonly additional_input: Readonly<Record<string, string>>
  }
  readonly questions_presented: OfStep & {
    readonly total: number
    readonly prompt: string | null
    readonly questions: ReadonlyArray<AskedQuestion>
  }
  readonly questions_answered: OfStep & {
    readonly question_id: string
    readonly cursor: number
    readonly total: number
    readonly source: AnswerSource
    readonly skipped: boolean
  }
  readonly questions_answer_rejected: OfStep & { readonly question_id: string; readonly reason: string }
  readonly questions_completed: OfStep & {
    readonly outcome: "completed" | "skipped_remaining" | "aborted"
    readonly answered_count: number
    readonly skipped_count: number
    readonly output: Value
  }

  /** Whether a dialog is wanted. `errored`: there was no usable verdict, which counts as a no. Ours: it has its cost. */
  readonly dialog_evaluated: OfStep &
    Timed &
    Tokens & {
      readonly trigger: boolean
      readonly reason: string
      readonly errored: boolean
      readonly model: string | null
    }
  /** With the answer that is talked about: it stands unless the dialog leads to another one. `elapsed` is what it took. */
  readonly dialog_started: OfDialog &
    Timed &
    InSession & {
      readonly opening_question: string
      readonly output: ValueMap
      readonly model: string | null
      readonly usage: {
        readonly input_tokens: number
        readonly output_tokens: number
        readonly cache_read_tokens: number
        readonly cache_write_tokens: number
      }
    }
  /** A message of the agent has its cost. */
  readonly dialog_message: OfDialog &
    Partial<Tokens> & { readonly role: "user" | "agent"; readonly content: string; readonly model?: string | null }
  /** `error`: why it broke off. */
  readonly dialog_completed: OfDialog & {
    readonly turn_count: number
    readonly user_declined?: true
    readonly user_dismissed?: boolean
    readonly agent_proposed_continue?: boolean
    readonly error?: string
  }

  readonly route_taken: {
    readonly from_agent: string
    readonly to_agent: string
    /** The route's own output values, when it ends the run. */
    readonly output?: ValueMap
  }
  /** A parallel group is named with the number of its members, all of which have to fit into the limit. */
  readonly iteration_limit_reached: (OfStep | (OfGroup & { readonly agent_count: number })) & {
    readonly current_iteration: number
    readonly max_iterations: number
    readonly agent_history: ReadonlyArray<string>
    readonly possible_loop: boolean
    readonly skip_gates: boolean
  }
  readonly guidance_applied: {
    readonly text: string
    readonly source: "interrupt" | "dashboard" | "cli"
    readonly agent_name: string
  }
  /** Outputs that were dropped, and what others became, to keep within `context.max_tokens`. Ours: resume needs it. */
  readonly context_trimmed: {
    readonly strategy: string
    readonly dropped: ReadonlyArray<string>
    readonly outputs: ValueMap
  }
  readonly budget_exceeded: {
    readonly budget_usd: number
    readonly spent_usd: number
    readonly budget_mode: "audit" | "enforce"
    readonly current_agent: string
  }
  readonly iteration_limit_resolved: (OfStep | OfGroup) & {
    readonly continue_execution: boolean
    readonly additional_iterations: number
    readonly aborted: boolean
  }
  /** Something went wrong beside the run and did not stop it: a full disk, a locked index. Said out loud here. */
  readonly run_warning: {
    readonly warning: string
    /** The model whose price it is about; one warning a model is enough. */
    readonly priced_model?: string
  }
}

export type RunEventType = keyof RunEventData

export type EventData<T extends RunEventType> = RunEventData[T] & Origin

/** One line of `events.jsonl`. `timestamp` is unix time in seconds, with a fraction. */
export type RunEvent = {
  readonly [T in RunEventType]: {
    readonly seq: number
    readonly type: T
    readonly timestamp: number
    readonly data: EventData<T>
  }
}[RunEventType]

/** The data as a plain map, for readers that show events and need not understand them. */
export const eventData = (event: RunEvent): ValueMap => ({ ...event.data })

/** An event of a sub-workflow, at whatever depth. It writes its whole life into the log of its root. */
export const isNested = ({ data }: RunEvent): boolean => (data.subworkflow_path ?? []).length > 0

const terminalTypes: ReadonlySet<string> = new Set<RunEventType>([
  "workflow_completed",
  "workflow_failed",
  "workflow_cancelled"
])

/**
 * The last event of a run: after it nothing is appended, unless the run is resumed with a second `workflow_started`. The
 * end of a sub-workflow is none.
 */
export const isTerminalEvent = (event: RunEvent): boolean => terminalTypes.has(event.type) && !isNested(event)

/** What a line of the log must at least be. `data` is trusted further in: the only writer is this program. */
export const RunEventEnvelope = Schema.Struct({
  seq: Schema.Int.pipe(Schema.positive()),
  type: Schema.String,
  timestamp: Schema.Number,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
