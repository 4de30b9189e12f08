/** How the next question of an interview is put to a person: its text, and the choices in their fixed order. */
import type { AskedQuestion, RunEventData } from "../domain/RunEvent.ts"
import type { QuestionsNode } from "../language/PlanNode.ts"
import { CONTROL, FREE_TEXT_FIELD, type Interview } from "./Interview.ts"

type Options = RunEventData["gate_presented"]["option_details"]

interface QuestionPrompt {
  readonly text: string
  readonly options: Options
}

const plain = (value: string, label: string): Options[number] => ({
  label,
  value,
  route: "",
  prompt_for: null,
  multiline: false
})

const when = (isOffered: boolean, ...options: Options): Options => (isOffered ? options : [])

const paragraphs = (...parts: ReadonlyArray<string | null>): string =>
  parts.filter((part) => part !== null && part !== "").join("\n\n")

const skipLabel = ({ default: fallback }: AskedQuestion): string =>
  fallback === null ? "Skip this question" : `Take the default: ${fallback}`

const review = (interview: Interview, { allow_abort, allow_back }: QuestionsNode): QuestionPrompt => ({
  text: `All ${interview.questions.length} questions are done.`,
  options: [
    plain(CONTROL.finish, "Finish"),
    ...when(allow_back, plain(CONTROL.back, "Back to the last question")),
    ...when(allow_abort, plain(CONTROL.abort, "Abort"))
  ]
})

/** The closing review when no question is left. */
export const questionPrompt = (interview: Interview, node: QuestionsNode): QuestionPrompt => {
  const { answers, intro, questions } = interview
  const question = questions[answers.length]
  if (question === undefined) return review(interview, node)
  const isFirst = answers.length === 0
  const freeText = {
    label: "Answer in own words",
    value: CONTROL.freeText,
    route: "",
    prompt_for: FREE_TEXT_FIELD,
    multiline: question.multiline
  }
  return {
    text: paragraphs(
      isFirst ? intro : null,
      `Question ${answers.length + 1} of ${questions.length}: ${question.text}`,
      question.hint
    ),
    options: [
      ...question.choices.map((choice) => plain(choice, choice)),
      ...when(question.allow_free_text, freeText),
      ...when(node.allow_back && !isFirst, plain(CONTROL.back, "Back to the question before")),
      ...when(node.allow_skip, plain(CONTROL.skip, skipLabel(question))),
      ...when(node.allow_skip_all, plain(CONTROL.skipAll, "Skip all that are left")),
      ...when(node.allow_abort, plain(CONTROL.abort, "Abort"))
    ]
  }
}
