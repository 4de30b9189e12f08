/**
 * An LLM step that may talk with a person about its answer (workflow language §5.14), as the dialog's next move says. The
 * dialog is a state of the run like an interview, so one that was cut off goes on with what was said. Whatever goes wrong
 * with it, the first answer stands.
 */
import { Effect, Option, Random } from "effect"
import { AgentProviders } from "../../agents/AgentProvider.ts"
import { get } from "../../domain/Value.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import { callAgent } from "../AgentCall.ts"
import { exchangesOf, isFruitful, isProposed, turnsOf, type Dialog, type DialogMove } from "../Dialog.ts"
import { dialogPrompt, talkPrompts, transcriptSection } from "../DialogPrompt.ts"
import { isEngineError, type EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { warnOfPrice } from "../PriceWarnings.ts"
import { tokensOf } from "../TokenCost.ts"
import {
  checkedAnswer,
  completeAgent,
  inSession,
  prepareAgent,
  sessionTold,
  type AgentServices,
  type AgentSetting,
  type Answered,
  type ReadyAgent
} from "./AgentStep.ts"
import { askPerson } from "./AskPerson.ts"
import { evaluateTrigger, textOf } from "./DialogTrigger.ts"
import { renderModel } from "./RenderAgent.ts"
import { sideRequest } from "./SideQuestion.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

type Run = StepRun<AgentNode>

const newId = Effect.map(Random.nextIntBetween(0, 2 ** 32), (number) => number.toString(16).padStart(8, "0"))

const start = Effect.fn("DialogStep.start")(function* (
  { journal, step }: Run,
  answered: Answered,
  question: string,
  elapsed: number
) {
  const { model, output, usage } = answered
  yield* journal.append("dialog_started", {
    agent_name: step.name,
    dialog_id: yield* newId,
    opening_question: question,
    output,
    model,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens
    },
    elapsed,
    ...sessionTold(answered)
  })
})

/** The step up to its end, or to the beginning of a dialog. */
export const beginDialogStep = (run: Run, setting: AgentSetting, trigger: string): StepEffect<AgentServices> =>
  Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const ready = yield* prepareAgent(run, setting)
    const first = yield* ready.answer(ready.asked)
    const { question, trigger: isTriggered } = yield* evaluateTrigger(run, setting, ready, {
      output: first.output,
      trigger
    })
    if (isTriggered) return yield* start(run, first, question, yield* elapsed)
    const answered = yield* checkedAnswer(run, setting, ready, first)
    yield* completeAgent(run, setting, answered, yield* elapsed)
  }).pipe((work) => inSession(run, setting, work))

interface DialogSetting {
  readonly run: Run
  readonly setting: AgentSetting
  readonly dialog: Dialog
  /** New. */
  readonly promptId: string
}

const end = ({ dialog, run }: DialogSetting, how: { readonly user_declined?: true; readonly error?: string }) =>
  run.journal.append("dialog_completed", {
    agent_name: run.step.name,
    dialog_id: dialog.id,
    turn_count: turnsOf(dialog),
    user_dismissed: dialog.end === "dismissed",
    agent_proposed_continue: isProposed(dialog),
    ...how
  })

/** Ends the dialog instead of the run. */
const orEnd =
  (setting: DialogSetting) =>
  <R>(work: Effect.Effect<void, EngineError | EventSinkError, R>): Effect.Effect<void, EventSinkError, R> =>
    Effect.catchIf(work, isEngineError, ({ message }) => end(setting, { error: message }))

const present = ({ dialog, promptId, run }: DialogSetting) => {
  const { options, text } = dialogPrompt(dialog)
  return run.journal.append("gate_presented", {
    agent_name: run.step.name,
    step_type: "dialog",
    prompt_id: promptId,
    prompt: text,
    options: options.map(({ value }) => value),
    option_details: options
  })
}

const ask = Effect.fn("DialogStep.ask")(function* (
  { run: { journal, step } }: DialogSetting,
  gate: Extract<DialogMove, { readonly _tag: "Ask" }>["gate"]
) {
  const { additionalInput, selected } = yield* askPerson(gate, journal)
  yield* journal.append("gate_resolved", {
    agent_name: step.name,
    step_type: "dialog",
    prompt_id: gate.promptId,
    selected_option: selected,
    route: "",
    additional_input: additionalInput
  })
})

/** Lets the agent answer what was said last. */
const reply = Effect.fn("DialogStep.reply")(function* ({ dialog, run, setting }: DialogSetting) {
  const { journal, step } = run
  const providers = yield* AgentProviders
  const provider = yield* providers.get(setting.provider)
  const { prompt: opening, systemPrompt } = talkPrompts(step.name, dialog)
  const request = sideRequest(
    {
      step: `${step.name} (dialog)`,
      systemPrompt,
      history: exchangesOf(dialog, opening),
      prompt: dialog.messages.at(-1)?.content ?? ""
    },
    { model: yield* renderModel(run, setting.plan), workingDirectory: setting.workingDirectory }
  )
  const { model = request.model ?? null, output, usage } = yield* callAgent(provider, request, step.retry, journal)
  yield* warnOfPrice(journal, { model, usage }, setting.plan)
  yield* journal.append("dialog_message", {
    agent_name: step.name,
    dialog_id: dialog.id,
    role: "agent",
    content: textOf(get(output, "result")),
    model,
    ...tokensOf({ model, usage }, setting.plan)
  })
})

/** What the step answers now that the talk is part of its prompt. */
const answerAgain = Effect.fn("DialogStep.answerAgain")(function* (
  { run: { journal, step }, setting }: DialogSetting,
  { answer, asked }: ReadyAgent,
  first: Answered
) {
  const second = yield* Effect.asSome(answer(asked)).pipe(
    Effect.catchIf(isEngineError, ({ message }) =>
      Effect.as(
        journal.append("run_warning", {
          warning: `Step '${step.name}' could not answer again after its dialog, so its first answer stands: ${message}`
        }),
        Option.none<Answered>()
      )
    )
  )
  if (Option.isNone(second)) return first
  const { model } = first
  yield* journal.append("agent_output_discarded", { agent_name: step.name, model, ...tokensOf(first, setting.plan) })
  return second.value
})

const answerOf = Effect.fn("DialogStep.answerOf")(function* (dialogSetting: DialogSetting, first: Answered) {
  const { dialog, run, setting } = dialogSetting
  const isAskedAgain = isFruitful(dialog)
  if (!isAskedAgain && run.step.validator === undefined) return first
  const ready = yield* prepareAgent(run, isAskedAgain ? { ...setting, transcript: transcriptSection(dialog) } : setting)
  return yield* checkedAnswer(
    run,
    setting,
    ready,
    isAskedAgain ? yield* answerAgain(dialogSetting, ready, first) : first
  )
})

const finish = Effect.fn("DialogStep.finish")(function* (dialogSetting: DialogSetting) {
  const { dialog, run, setting } = dialogSetting
  const elapsed = yield* stopwatch
  const { elapsed: before, ...first } = dialog.first
  const answered = yield* answerOf(dialogSetting, first)
  yield* completeAgent(run, setting, answered, before + (yield* elapsed))
})

export const makeDialogMove = (setting: DialogSetting, move: DialogMove): StepEffect<AgentServices> => {
  const { dialog, run } = setting
  switch (move._tag) {
    case "Present":
      return present(setting)
    case "Ask":
      return ask(setting, move.gate).pipe(orEnd(setting))
    case "Tell":
      return run.journal.append("dialog_message", {
        agent_name: run.step.name,
        dialog_id: dialog.id,
        role: "user",
        content: move.message
      })
    case "Reply":
      return reply(setting).pipe(orEnd(setting))
    case "End":
      return end(setting, move.end === "declined" ? { user_declined: true } : {})
    case "Answer":
      return inSession(run, setting.setting, finish(setting))
  }
}
