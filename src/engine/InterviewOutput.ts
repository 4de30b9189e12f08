/** What a `questions` step gives to the steps after it (workflow language §5.20). */
import type { Value } from "../domain/Value.ts"
import type { Interview, Outcome } from "./Interview.ts"

export interface InterviewResult {
  readonly answered: number
  readonly skipped: number
  readonly output: Value
}

export const interviewResult = (
  { answers, questions }: Interview,
  outcome: Outcome | "in_progress"
): InterviewResult => {
  const items = questions.flatMap(({ id, text }, index) => {
    const given = answers[index]
    return given === undefined ? [] : [{ number: index + 1, id, text, ...given }]
  })
  const answered = items.flatMap(({ answer, ...item }) => (answer === null ? [] : [{ ...item, answer }]))
  const skipped = items.length - answered.length
  return {
    answered: answered.length,
    skipped,
    output: {
      answers: Object.fromEntries(answered.map(({ answer, id }) => [id, answer])),
      items: items.map(({ answer, id, source, text: question }) => ({
        id,
        question,
        answer,
        source,
        skipped: answer === null
      })),
      transcript: answered.map(({ answer, number, text }) => `Q${number}. ${text}\nA: ${answer}`).join("\n\n"),
      answered_count: answered.length,
      skipped_count: skipped,
      answered_any: answered.length > 0,
      outcome
    }
  }
}
