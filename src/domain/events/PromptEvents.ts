/** Events of what people are asked: gates, questions and dialogs. */
import type { Value, ValueMap } from "../Value.ts"
import type { InSession, OfStep, Timed, Tokens } from "./EventParts.ts"

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

interface OfDialog extends OfStep {
  readonly dialog_id: string
}

export interface PromptEvents {
  readonly gate_presented: OfPrompt & {
    /** It was open when the run was cut off, and is no other prompt than it was. Ours. */
    readonly again?: true
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
}
