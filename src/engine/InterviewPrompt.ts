/** How the next question of an interview is put to a person: its text, and the choices in their fixed order. */
import type { AskedQuestion } from "../domain/events/PromptEvents.ts"
import type { QuestionsNode } from "../language/PlanNode.ts"
import { CONTROL, FREE_TEXT_FIELD, type Interview } from "./Interview.ts"
import { plainOption, type PromptOptions } from "./PromptOption.ts"

interface QuestionPrompt {
  readonly text: string
  readonly options: PromptOptions
}

const when = (isOffered: boolean, ...options: PromptOptions): PromptOptions => (isOffered ? options : [])

const paragraphs = (...parts: ReadonlyArray<string | null>): string =>
  parts.filter((part) => part !== null && part !== "").join("\n\n")

const skipLabel = ({ default: fallback }: AskedQuestion): string =>
  fallback === null ? "Skip this question" : `Take the default: ${fallback}`

const review = (interview: Interview, { allow_abort, allow_back }: QuestionsNode): QuestionPrompt => ({
  text: `All ${interview.questions.length} questions are done.`,
  options: [
    plainOption(CONTROL.finish, "Finish"),
    ...when(allow_back, plainOption(CONTROL.back, "Back to the last question")),
    ...when(allow_abort, plainOption(CONTROL.abort, "Abort"))
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
      ...question.choices.map((choice) => plainOption(choice, choice)),
      ...when(question.allow_free_text, freeText),
      ...when(node.allow_back && !isFirst, plainOption(CONTROL.back, "Back to the question before")),
      ...when(node.allow_skip, plainOption(CONTROL.skip, skipLabel(question))),
      ...when(node.allow_skip_all, plainOption(CONTROL.skipAll, "Skip all that are left")),
      ...when(node.allow_abort, plainOption(CONTROL.abort, "Abort"))
    ]
  }
}
