/** Whether an answer has to be talked about: a model decides by the rule of the step's `dialog` (workflow language §5.14). */
import { Effect, Option } from "effect"
import { get, isMap, type Value, type ValueMap } from "../../domain/Value.ts"
import type { OutputFields } from "../../language/document/OutputField.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import { evaluationPrompts } from "../DialogPrompt.ts"
import { warnOfPrice } from "../PriceWarnings.ts"
import { tokensOf } from "../TokenCost.ts"
import type { AgentSetting, ReadyAgent } from "./AgentStep.ts"
import { askAside, replyField, sideRequest } from "./SideQuestion.ts"
import { stopwatch, type StepRun } from "./StepRun.ts"

interface Verdict {
  readonly trigger: boolean
  readonly reason: string
  readonly question: string
  /** There was no usable verdict, so there is nothing to talk about. */
  readonly errored: boolean
}

const ERRORED: Verdict = { trigger: false, reason: "", question: "", errored: true }

const VERDICT: OutputFields = {
  trigger: replyField("boolean"),
  reason: replyField("string"),
  question: replyField("string")
}

/** Empty for what is no text. */
export const textOf = (value: Value | undefined): string => (typeof value === "string" ? value.trim() : "")

const verdictIn = (value: Value): Verdict => {
  if (!isMap(value)) return ERRORED
  const trigger = get(value, "trigger")
  const question = textOf(get(value, "question"))
  const isUsable = typeof trigger === "boolean" && (!trigger || question !== "")
  return isUsable ? { trigger, question, reason: textOf(get(value, "reason")), errored: false } : ERRORED
}

export const evaluateTrigger = Effect.fn("DialogTrigger.evaluate")(function* (
  { journal, step }: StepRun<AgentNode>,
  { plan, workingDirectory }: AgentSetting,
  { asked, provider }: ReadyAgent,
  { output, trigger }: { readonly output: ValueMap; readonly trigger: string }
) {
  const elapsed = yield* stopwatch
  const request = sideRequest(
    { step: `${step.name} (dialog evaluator)`, ...evaluationPrompts(trigger, output), output: VERDICT },
    { model: asked.model, workingDirectory }
  )
  const { model, usage, value } = yield* askAside(provider, request)
  const verdict = Option.match(value, { onNone: () => ERRORED, onSome: verdictIn })
  yield* warnOfPrice(journal, { model, usage }, plan)
  const { errored, reason, trigger: isTriggered } = verdict
  const told = { trigger: isTriggered, reason, errored, model, ...tokensOf({ model, usage }, plan) }
  yield* journal.append("dialog_evaluated", { agent_name: step.name, ...told, elapsed: yield* elapsed })
  return verdict
})
