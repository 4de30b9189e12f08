/**
 * What an LLM step and a person say to each other about the step's first answer, as a fold over the log (workflow language
 * §5.14). Pure: what the agent says, and what becomes of the answer, is decided elsewhere.
 */
import type { AgentUsage, Exchange } from "../agents/AgentProvider.ts"
import type { OpenGate } from "../domain/Gate.ts"
import type { SessionTurn } from "../domain/events/EventParts.ts"
import type { RunEventData } from "../domain/RunEvent.ts"
import type { ValueMap } from "../domain/Value.ts"

/** The values of a prompt's options. */
export const CHOICE = { reply: "reply", goOn: "continue", decline: "decline" } as const

/** The name of the text that comes with `CHOICE.reply`. */
export const MESSAGE_FIELD = "message"

/** What an agent ends its message with when it thinks that all is said. */
export const READY_MARKER = "[READY_TO_CONTINUE]"

const DISMISSALS: ReadonlySet<string> = new Set([
  "done",
  "continue",
  "go ahead",
  "proceed",
  "that's all",
  "thats all",
  "resume",
  "exit",
  "/done",
  "/continue"
])

const AGREEMENTS: ReadonlySet<string> = new Set(["", "y", "yes"])

interface Message {
  readonly role: "user" | "agent"
  readonly content: string
}

/** The answer that the dialog is about. */
interface FirstAnswer {
  readonly output: ValueMap
  readonly model: string | null
  readonly usage: AgentUsage
  readonly session?: SessionTurn
  /** Seconds. */
  readonly elapsed: number
}

export interface Dialog {
  readonly id: string
  readonly opening: string
  readonly first: FirstAnswer
  /** After the opening question. */
  readonly messages: ReadonlyArray<Message>
  readonly open?: OpenGate
  /** What the person has said and has not been told yet. */
  readonly heard?: string
  /** How the person ended it. */
  readonly end?: "declined" | "dismissed"
  /** It is over, and the step has its answer to give. */
  readonly isOver: boolean
}

/** What has to happen next. */
export type DialogMove =
  | { readonly _tag: "Ask"; readonly gate: OpenGate }
  | { readonly _tag: "Tell"; readonly message: string }
  | { readonly _tag: "Present" }
  | { readonly _tag: "Reply" }
  | { readonly _tag: "End"; readonly end: NonNullable<Dialog["end"]> }
  | { readonly _tag: "Answer" }

export const beginDialog = (data: RunEventData["dialog_started"]): Dialog => {
  const { dialog_id: id, elapsed, model, opening_question: opening, output, session, usage } = data
  return {
    id,
    opening,
    first: {
      output,
      model,
      elapsed,
      usage: {
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cacheReadTokens: usage.cache_read_tokens,
        cacheWriteTokens: usage.cache_write_tokens
      },
      ...(session === undefined ? {} : { session })
    },
    messages: [],
    isOver: false
  }
}

const proposes = ({ content }: Message): boolean => content.trimEnd().endsWith(READY_MARKER)

/** What a person reads of a message. */
const shown = (message: Message): string =>
  proposes(message) ? message.content.trimEnd().slice(0, -READY_MARKER.length).trimEnd() : message.content

/** Whether the agent's last word was that the run may go on. */
export const isProposed = ({ messages }: Dialog): boolean => {
  const last = messages.findLast(({ role }) => role === "agent")
  return last !== undefined && proposes(last)
}

export const dialogPresented = (dialog: Dialog, open: OpenGate): Dialog => ({ ...dialog, open })

/** The dialog after an answer that its open prompt takes. */
export const dialogAnswered = (
  { open: _open, ...dialog }: Dialog,
  selected: string,
  input: Readonly<Record<string, string>>
): Dialog => {
  if (selected === CHOICE.decline) return { ...dialog, end: "declined" }
  if (selected === CHOICE.goOn) return { ...dialog, end: "dismissed" }
  const message = (input[MESSAGE_FIELD] ?? "").trim()
  const word = message.toLowerCase()
  if (DISMISSALS.has(word) || (isProposed(dialog) && AGREEMENTS.has(word))) return { ...dialog, end: "dismissed" }
  return message === "" ? dialog : { ...dialog, heard: message }
}

export const dialogTold = (
  { heard: _heard, ...dialog }: Dialog,
  { content, role }: RunEventData["dialog_message"]
): Dialog => ({ ...dialog, messages: [...dialog.messages, { role, content }] })

export const dialogOver = ({ open: _open, ...dialog }: Dialog): Dialog => ({ ...dialog, isOver: true })

export const nextDialogMove = ({ end, heard, isOver, messages, open }: Dialog): DialogMove => {
  if (isOver) return { _tag: "Answer" }
  if (end !== undefined) return { _tag: "End", end }
  if (heard !== undefined) return { _tag: "Tell", message: heard }
  if (open !== undefined) return { _tag: "Ask", gate: open }
  return { _tag: messages.at(-1)?.role === "user" ? "Reply" : "Present" }
}

export const turnsOf = ({ messages }: Dialog): number => messages.filter(({ role }) => role === "user").length

/** What was said, and whether it can change the answer. */
export const isFruitful = ({ end, messages }: Dialog): boolean => end === "dismissed" && messages.length > 0

/** What the agent has said last, as a person reads it. */
export const lastWord = ({ messages, opening }: Dialog): string => {
  const last = messages.findLast(({ role }) => role === "agent")
  return last === undefined ? opening : shown(last)
}

/** For a model: each exchange is what the person said and what the agent said to it; the first one is `opening`'s. */
export const exchangesOf = ({ messages, opening: reply }: Dialog, prompt: string): ReadonlyArray<Exchange> =>
  messages.reduce<ReadonlyArray<Exchange>>(
    (exchanges, { content, role }, index) =>
      role === "agent" ? [...exchanges, { prompt: messages[index - 1]?.content ?? "", reply: content }] : exchanges,
    [{ prompt, reply }]
  )

export const transcriptOf = ({ messages, opening }: Dialog): string =>
  [
    `You: ${opening}`,
    ...messages.map((message) => `${message.role === "agent" ? "You" : "User"}: ${shown(message)}`)
  ].join("\n\n")
