/**
 * The questions of one visit to a `questions` step: written in the workflow, whose templates are rendered, or made by an
 * earlier step, whose words are taken as they are: what a model wrote is never a template.
 */
import { Either, ParseResult, Schema } from "effect"
import { get, isList, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import type { AskedQuestion } from "../domain/events/PromptEvents.ts"
import { Question } from "../language/document/Questions.ts"
import type { QuestionsNode } from "../language/PlanNode.ts"
import { renderTemplate } from "../language/template/Template.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import { ExecutionError } from "./EngineErrors.ts"
import { CONTROL } from "./Interview.ts"
import type { Memory } from "./StepContext.ts"

type Result<A> = Either.Either<A, ExecutionError | TemplateError>

const decodeQuestion = Schema.decodeUnknownEither(Question)
const reserved: ReadonlySet<string> = new Set(Object.values(CONTROL))

const fault = (step: string, message: string) => new ExecutionError({ message: `Step '${step}': ${message}` })

/** Outputs as they are stored, whatever the context mode: `step.output.field`, or the fields of a group. */
const lookUp = (step: string, source: string, { outputs }: Memory): Result<Value> => {
  const [node = "", section = "", ...path] = source.split(".")
  const stored = outputs.get(node)
  if (stored === undefined) return Either.left(fault(step, `source '${source}': step '${node}' has not run`))
  const root = section === "output" ? stored : isMap(stored) ? get(stored, section) : undefined
  const found = path.reduce<Value | undefined>(
    (value, key) => (value !== undefined && isMap(value) ? get(value, key) : undefined),
    root
  )
  return Either.fromNullable(found, () => fault(step, `source '${source}' leads to nothing`))
}

/** `question` stands for `text`, as models like to write it. */
const asObject = (entry: Value): Value => {
  if (typeof entry === "string") return { text: entry }
  if (!isMap(entry) || Object.hasOwn(entry, "text")) return entry
  const { question, ...rest } = entry
  return question === undefined ? rest : { ...rest, text: question }
}

const fromSource = (step: string, source: string, memory: Memory): Result<ReadonlyArray<Question>> =>
  Either.gen(function* () {
    const entries = yield* lookUp(step, source, memory)
    if (!isList(entries)) return yield* Either.left(fault(step, `source '${source}' is no list of questions`))
    return yield* Either.all(
      entries.map((entry, index) =>
        Either.mapLeft(decodeQuestion(asObject(entry)), (error) =>
          fault(step, `question ${index + 1} of '${source}': ${ParseResult.TreeFormatter.formatErrorSync(error)}`)
        )
      )
    )
  })

const rendered = (question: Question, context: ValueMap): Result<Question> =>
  Either.gen(function* () {
    const { choices, default: fallback, hint, text } = question
    return {
      ...question,
      text: yield* renderTemplate(text, context),
      choices: yield* Either.all(choices.map((choice) => renderTemplate(choice, context))),
      ...(hint === undefined ? {} : { hint: yield* renderTemplate(hint, context) }),
      ...(fallback === undefined ? {} : { default: yield* renderTemplate(fallback, context) })
    }
  })

const asked = (question: Question, index: number): AskedQuestion => ({
  ...question,
  id: question.id ?? `q${index + 1}`,
  hint: question.hint ?? null,
  default: question.default ?? null
})

const checked = (step: string, questions: ReadonlyArray<AskedQuestion>): Result<ReadonlyArray<AskedQuestion>> => {
  const seen = new Set<string>()
  for (const { choices, id } of questions) {
    if (seen.has(id)) return Either.left(fault(step, `two questions have the id '${id}'; give each its own`))
    seen.add(id)
    const clash = choices.find((choice) => reserved.has(choice))
    if (clash !== undefined) {
      return Either.left(fault(step, `question '${id}' has the choice '${clash}', which is reserved; reword it`))
    }
  }
  return Either.right(questions)
}

/** `context` is the full one, whatever the context mode. */
export const questionSet = (node: QuestionsNode, memory: Memory, context: ValueMap) => {
  const { name, questions } = node
  const found =
    questions._tag === "Inline"
      ? Either.all(questions.items.map((question) => rendered(question, context)))
      : fromSource(name, questions.source, memory)
  return Either.flatMap(found, (all) => checked(name, all.map(asked)))
}
