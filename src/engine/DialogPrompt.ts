/** How a dialog is put: to the person who is asked, and to the model before and after it. */
import { stringifyJson, type ValueMap } from "../domain/Value.ts"
import { CHOICE, isProposed, lastWord, MESSAGE_FIELD, READY_MARKER, transcriptOf, type Dialog } from "./Dialog.ts"
import { plainOption, type PromptOptions } from "./PromptOption.ts"

const MAX_OUTPUT = 4000

export const dialogPrompt = (dialog: Dialog): { readonly text: string; readonly options: PromptOptions } => ({
  text: lastWord(dialog),
  options: [
    { ...plainOption(CHOICE.reply, "Answer"), prompt_for: MESSAGE_FIELD, multiline: true },
    plainOption(CHOICE.goOn, isProposed(dialog) ? "Go on, as the agent proposes" : "Go on with what was said"),
    ...(dialog.messages.length === 0 ? [plainOption(CHOICE.decline, "Go on without a talk")] : [])
  ]
})

const answerText = (output: ValueMap): string => stringifyJson(output).slice(0, MAX_OUTPUT)

/** For the model that decides whether there is something to talk about. */
export const evaluationPrompts = (trigger: string, output: ValueMap) => ({
  systemPrompt:
    "You decide whether an agent has to talk with the user about its answer before the work goes on. " +
    `The rule is:\n${trigger}\n\n` +
    "Answer whether the rule applies, why, and, if it does, with the one question that the agent puts to the user.",
  prompt: `The answer of the agent is:\n${answerText(output)}`
})

/** For the agent while it talks. The prompt is what its opening question replied to. */
export const talkPrompts = (step: string, { first: { output } }: Dialog) => ({
  systemPrompt:
    `You are the agent '${step}' of a workflow. You have given an answer and talk with the user about it before the work ` +
    "goes on; afterwards you are asked for your answer again. Be brief. When nothing is open any more, say so and end " +
    `your message with ${READY_MARKER}`,
  prompt: `Your answer was:\n${answerText(output)}\n\nAsk the user what you have to know.`
})

/** Behind the step's own prompt when it is asked again. */
export const transcriptSection = (dialog: Dialog): string =>
  "\n\n[Conversation with the user]\nYou have answered this before and talked about your answer with the user. " +
  `Answer again, as was agreed.\n\nYour first answer:\n${answerText(dialog.first.output)}\n\n${transcriptOf(dialog)}`
