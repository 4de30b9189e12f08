/**
 * A `questions` step between its first question and its last answer, as a fold over what a person chose (workflow
 * language §5.20). Pure: what is asked, and who is asked, is decided elsewhere.
 */
import type { OpenGate } from "../domain/Gate.ts"
import type { AnswerSource, AskedQuestion } from "../domain/events/PromptEvents.ts"
import type { RunEventData } from "../domain/RunEvent.ts"
import type { QuestionsNode } from "../language/PlanNode.ts"

/** Choices that are no answer but say where to go; a question may not use them. */
export const CONTROL = {
  back: "__back__",
  skip: "__skip__",
  skipAll: "__skip_all__",
  abort: "__abort__",
  finish: "__finish__",
  freeText: "__free_text__"
} as const

/** The name of the text that comes with `CONTROL.freeText`. */
export const FREE_TEXT_FIELD = "answer"

export type Outcome = RunEventData["questions_completed"]["outcome"]

export interface RecordedAnswer {
  readonly source: AnswerSource
  /** `null` for a question that was skipped. */
  readonly answer: string | null
}

/** What has been folded and not been told yet. */
type News =
  | {
      readonly _tag: "Answered"
      readonly question: AskedQuestion
      readonly cursor: number
      readonly source: AnswerSource
    }
  | { readonly _tag: "Rejected"; readonly question: AskedQuestion; readonly reason: string }

export interface Interview {
  readonly questions: ReadonlyArray<AskedQuestion>
  /** In the order of the questions; the next question is the one behind the last answer. */
  readonly answers: ReadonlyArray<RecordedAnswer>
  readonly intro: string | null
  readonly open?: OpenGate
  /** The id of the prompt that was open when the step was cut off: an answer to it may have been given meanwhile. */
  readonly formerPrompt?: string
  readonly news?: News
  readonly outcome?: Outcome
}

/** What has to happen next. */
export type Move =
  | { readonly _tag: "Tell"; readonly news: News }
  | { readonly _tag: "Present" }
  | { readonly _tag: "Ask"; readonly gate: OpenGate }
  | { readonly _tag: "Finish"; readonly outcome: Outcome }

const isSame = (left: AskedQuestion | undefined, right: AskedQuestion | undefined): boolean =>
  left?.id === right?.id && left?.text === right?.text

/**
 * `kept`: what is left of an interview that was cut off. An answer is kept when the id and the text of its question are what
 * they were, and so are those of the questions before it; a prompt that was open when its question is, too.
 */
export const beginInterview = (
  { prompt: intro, questions }: RunEventData["questions_presented"],
  kept: Interview | undefined
): Interview => {
  if (kept === undefined) return { questions, answers: [], intro }
  const answered = kept.answers.length
  const changed = kept.questions.findIndex((question, index) => !isSame(question, questions[index]))
  const same = changed === -1 ? kept.questions.length : changed
  return same >= answered && isSame(kept.questions[answered], questions[answered])
    ? { ...kept, questions, intro }
    : { questions, answers: kept.answers.slice(0, same), intro }
}

/** What of it outlives the process that asked: the questions are presented again, and then goes on what was open. */
export const suspended = ({ open, ...interview }: Interview): Interview =>
  open === undefined ? interview : { ...interview, formerPrompt: open.promptId }

/** A default stands for an answer that was not given. */
const skipped = (question: AskedQuestion): RecordedAnswer =>
  question.default === null ? { source: "skipped", answer: null } : { source: "default", answer: question.default }

const isDue = ({ default: fallback, required }: AskedQuestion): boolean => required && fallback === null

const reject = (interview: Interview, question: AskedQuestion, reason: string): Interview => ({
  ...interview,
  news: { _tag: "Rejected", question, reason }
})

const record = (interview: Interview, question: AskedQuestion, answer: RecordedAnswer): Interview => ({
  ...interview,
  answers: [...interview.answers, answer],
  news: { _tag: "Answered", question, cursor: interview.answers.length, source: answer.source }
})

/** Everything that is left is skipped, required or not: for a run that nobody attends to. */
export const skipRest = (interview: Interview): Interview => ({
  ...interview,
  answers: [...interview.answers, ...interview.questions.slice(interview.answers.length).map(skipped)],
  outcome: "skipped_remaining"
})

const answerQuestion = (interview: Interview, question: AskedQuestion, selected: string, text: string): Interview => {
  switch (selected) {
    case CONTROL.skip:
      return isDue(question)
        ? reject(interview, question, "an answer is required")
        : record(interview, question, skipped(question))
    case CONTROL.skipAll: {
      const due = interview.questions.slice(interview.answers.length).find(isDue)
      return due === undefined
        ? skipRest(interview)
        : reject(interview, question, `question '${due.id}' requires an answer`)
    }
    case CONTROL.freeText: {
      const answer = text.trim()
      return answer === "" && isDue(question)
        ? reject(interview, question, "an answer is required")
        : record(interview, question, { source: "free_text", answer })
    }
    default:
      return record(interview, question, { source: "choice", answer: selected })
  }
}

/** The interview after an answer that its open prompt takes. Without a question left it was the closing review. */
export const foldAnswer = (
  { formerPrompt: _formerPrompt, open: _open, ...interview }: Interview,
  selected: string,
  input: Readonly<Record<string, string>>
): Interview => {
  if (selected === CONTROL.abort) return { ...interview, outcome: "aborted" }
  if (selected === CONTROL.back) return { ...interview, answers: interview.answers.slice(0, -1) }
  const question = interview.questions[interview.answers.length]
  if (question === undefined) return { ...interview, outcome: "completed" }
  return answerQuestion(interview, question, selected, input[FREE_TEXT_FIELD] ?? "")
}

export const presented = (interview: Interview, open: OpenGate): Interview => ({ ...interview, open })

export const told = ({ news: _news, ...interview }: Interview): Interview => interview

export const nextMove = (interview: Interview, { allow_back }: QuestionsNode): Move => {
  const { answers, news, open, outcome, questions } = interview
  if (news !== undefined) return { _tag: "Tell", news }
  if (outcome !== undefined) return { _tag: "Finish", outcome }
  if (open !== undefined) return { _tag: "Ask", gate: open }
  // The closing review is there to go back from.
  const isDone = answers.length === questions.length && (questions.length === 0 || !allow_back)
  return isDone ? { _tag: "Finish", outcome: "completed" } : { _tag: "Present" }
}
