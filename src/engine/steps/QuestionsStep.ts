/** Puts questions to a person one after another (workflow language §5.20), as the interview's next move says. */
import { Effect } from "effect"
import type { ValueMap } from "../../domain/Value.ts"
import type { QuestionsNode } from "../../language/PlanNode.ts"
import { skipRest, type Interview, type Move, type Outcome } from "../Interview.ts"
import { interviewResult } from "../InterviewOutput.ts"
import { questionPrompt } from "../InterviewPrompt.ts"
import type { Journal } from "../Journal.ts"
import { renderPrompt } from "../PromptRendering.ts"
import { questionSet } from "../QuestionSet.ts"
import type { Memory } from "../StepContext.ts"
import { askPerson } from "./AskPerson.ts"

/** `context` is the full one. */
export const presentQuestions = Effect.fn("QuestionsStep.present")(function* (
  node: QuestionsNode,
  { context, journal, memory }: { readonly context: ValueMap; readonly journal: Journal; readonly memory: Memory }
) {
  const questions = yield* questionSet(node, memory, context)
  const intro = yield* renderPrompt(node.prompt, context)
  yield* journal.append("questions_presented", {
    agent_name: node.name,
    total: questions.length,
    prompt: intro === "" ? null : intro,
    questions
  })
})

interface Setting {
  readonly node: QuestionsNode
  readonly journal: Journal
  readonly promptId: string
  readonly gates: "ask" | "skip"
}

const finish = ({ journal, node }: Setting, interview: Interview, outcome: Outcome) => {
  const { answered, output, skipped } = interviewResult(interview, outcome)
  return journal.append("questions_completed", {
    agent_name: node.name,
    outcome,
    answered_count: answered,
    skipped_count: skipped,
    output
  })
}

const present = ({ journal, node, promptId }: Setting, interview: Interview) => {
  const { options, text } = questionPrompt(interview, node)
  return journal.append("gate_presented", {
    agent_name: node.name,
    step_type: "questions",
    prompt_id: interview.formerPrompt ?? promptId,
    prompt: text,
    options: options.map(({ value }) => value),
    option_details: options,
    ...(interview.formerPrompt === undefined ? {} : { again: true })
  })
}

const tell = (
  { journal, node }: Setting,
  { questions }: Interview,
  news: Extract<Move, { readonly _tag: "Tell" }>["news"]
) => {
  const about = { agent_name: node.name, question_id: news.question.id }
  if (news._tag === "Rejected") {
    return journal.append("questions_answer_rejected", { ...about, reason: news.reason })
  }
  const { cursor, source } = news
  return journal.append("questions_answered", {
    ...about,
    cursor,
    total: questions.length,
    source,
    skipped: source === "skipped"
  })
}

export const makeMove = Effect.fn("QuestionsStep.makeMove")(function* (
  setting: Setting,
  interview: Interview,
  move: Move
) {
  switch (move._tag) {
    case "Tell":
      return yield* tell(setting, interview, move.news)
    case "Present":
      return yield* setting.gates === "skip"
        ? finish(setting, skipRest(interview), "skipped_remaining")
        : present(setting, interview)
    case "Ask": {
      const { additionalInput, selected } = yield* askPerson(move.gate, setting.journal)
      return yield* setting.journal.append("gate_resolved", {
        agent_name: setting.node.name,
        step_type: "questions",
        prompt_id: move.gate.promptId,
        selected_option: selected,
        route: "",
        additional_input: additionalInput
      })
    }
    case "Finish":
      return yield* finish(setting, interview, move.outcome)
  }
})
