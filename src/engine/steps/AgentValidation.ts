/**
 * The `validator` of an LLM step: a second call grades the output, and a refused one may be tried again once (workflow
 * language §5.14). Grading fails open: whatever goes wrong with it, the output stands.
 */
import { Duration, Effect, Option } from "effect"
import type { AgentProviderShape, AgentRequest } from "../../agents/AgentProvider.ts"
import { get, isList, isMap, stringifyJson, type Value } from "../../domain/Value.ts"
import type { OutputFields } from "../../language/document/OutputField.ts"
import type { Validator } from "../../language/document/Validator.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import { isEngineError, type EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { feedbackSection } from "../PromptSections.ts"
import { warnOfPrice } from "../PriceWarnings.ts"
import { tokensOf } from "../TokenCost.ts"
import type { AgentSetting, Answered } from "./AgentStep.ts"
import { askAside, replyField, sideRequest } from "./SideQuestion.ts"
import { stopwatch, type StepRun } from "./StepRun.ts"

interface Validation {
  readonly run: StepRun<AgentNode>
  readonly setting: AgentSetting
  readonly validator: Validator
  readonly provider: AgentProviderShape
  readonly asked: AgentRequest
}

interface Verdict {
  readonly passed: boolean
  readonly issues: ReadonlyArray<string>
  /** There was no usable verdict, so it is a pass. */
  readonly errored: boolean
}

const MAX_PROMPT = 6000
const MAX_OUTPUT = 8000
const MAX_PREVIEW = 200

const VERDICT: OutputFields = {
  passed: replyField("boolean"),
  issues: { ...replyField("array"), items: replyField("string") }
}

const gradingRequest = ({ asked, run, validator }: Validation, { output }: Answered): AgentRequest =>
  sideRequest(
    {
      step: `${run.step.name} (validator)`,
      systemPrompt:
        "You check the output of another agent against criteria. Judge only by the criteria:\n" +
        `${validator.criteria}\n\nAnswer whether the output passes, and name each issue in one sentence.`,
      prompt:
        `The task was:\n${asked.prompt.slice(0, MAX_PROMPT)}\n\n` +
        `The output is:\n${stringifyJson(output).slice(0, MAX_OUTPUT)}`,
      output: VERDICT
    },
    { model: validator.model ?? asked.model, workingDirectory: asked.workingDirectory }
  )

const ERRORED: Verdict = { passed: true, issues: [], errored: true }

const VERDICTS: ReadonlyMap<Value | undefined, boolean> = new Map<Value, boolean>([
  [true, true],
  ["true", true],
  [false, false],
  ["false", false]
])

const verdictIn = (value: Value): Verdict => {
  const passed = isMap(value) ? VERDICTS.get(get(value, "passed")) : undefined
  if (passed === undefined || !isMap(value)) return ERRORED
  const issues = get(value, "issues") ?? []
  return { passed, issues: isList(issues) ? issues.map(String) : [], errored: false }
}

/** The step's own time limit holds for the grading, too. */
const inTime =
  ({ run }: Validation) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> => {
    const { timeout_seconds: limit } = run.step
    return limit === undefined ? Effect.asSome(work) : Effect.timeoutOption(work, Duration.seconds(limit))
  }

const grade = Effect.fn("AgentValidation.grade")(function* (validation: Validation, answered: Answered) {
  const { provider, run, setting, validator } = validation
  const { journal, step } = run
  const request = gradingRequest(validation, answered)
  yield* journal.append("agent_validator_start", {
    agent_name: step.name,
    model: request.model ?? null,
    criteria_preview: validator.criteria.slice(0, MAX_PREVIEW)
  })
  const elapsed = yield* stopwatch
  const { model, usage, value } = yield* askAside(provider, request, inTime(validation))
  const verdict = Option.match(value, { onNone: () => ERRORED, onSome: verdictIn })
  yield* warnOfPrice(journal, { model, usage }, setting.plan)
  yield* journal.append("agent_validator_complete", {
    agent_name: step.name,
    ...verdict,
    model,
    ...tokensOf({ model, usage }, setting.plan),
    elapsed: yield* elapsed
  })
  return verdict
})

/** `again` asks the same step once more. */
export const validated = <R>(
  validation: Validation,
  first: Answered,
  again: (request: AgentRequest) => Effect.Effect<Answered, EngineError | EventSinkError, R>
): Effect.Effect<Answered, EventSinkError, R> =>
  Effect.gen(function* () {
    const { asked, run, setting, validator } = validation
    const { journal, step } = run
    const { issues, passed } = yield* grade(validation, first)
    if (passed) return first
    const refused = { agent_name: step.name, issues }
    const willRetry = validator.max_retries > 0
    yield* journal.append("agent_validation_failed", { ...refused, will_retry: willRetry })
    if (!willRetry) return first
    const second = yield* Effect.asSome(again({ ...asked, prompt: asked.prompt + feedbackSection(issues) })).pipe(
      Effect.catchIf(isEngineError, () => Effect.succeedNone)
    )
    if (Option.isNone(second)) {
      yield* journal.append("agent_validation_failed", { ...refused, will_retry: false, rerun_errored: true })
      return first
    }
    const { model } = first
    yield* journal.append("agent_output_discarded", { agent_name: step.name, model, ...tokensOf(first, setting.plan) })
    return second.value
  })
