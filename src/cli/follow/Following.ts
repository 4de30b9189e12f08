/**
 * The following of a run on a terminal, as a fold: events, keys and Ctrl-C go in, what to do comes out. Pure, so that what
 * happens when an answer, a key and the end of a gate come together is decided in one place and in their order.
 */
import type { GateAnswer } from "../../domain/Gate.ts"
import type { RunEvent } from "../../domain/RunEvent.ts"
import { advanceActivity, askedFirst, noActivity, type Activity } from "./Activity.ts"
import { pressGate, promptFor, refused, type GatePrompt } from "./GatePrompt.ts"
import type { Key } from "./Keyboard.ts"
import type { RunOrigin } from "../../runs/RunFold.ts"

export interface Following {
  readonly activity: Activity
  /** The gate that is open. */
  readonly prompt?: GatePrompt
  /** The prompt whose answer is under way. */
  readonly sent?: string
  /** What is asked now: the open gate, if there is one, or what Ctrl-C meant. */
  readonly question: "gate" | "leave"
  /** A question is shown from when each key is heard: what is typed at once must not be lost. */
  readonly keyboard: "idle" | "listening"
}

export type Input =
  /** `past`: from before this start of the run, read to know where it stands. */
  | { readonly _tag: "Event"; readonly event: RunEvent; readonly age: "past" | "new" }
  /** From now on keys come, for as long as they are wanted. */
  | { readonly _tag: "Listening" }
  | { readonly _tag: "Key"; readonly key: Key }
  | { readonly _tag: "CtrlC" }
  /** The answer to this prompt was not taken. */
  | { readonly _tag: "Refused"; readonly promptId: string; readonly reason: string }

export type Action =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Answer"; readonly promptId: string; readonly answer: GateAnswer }
  | { readonly _tag: "Cancel" }
  | { readonly _tag: "Detach" }

const nothing: Action = { _tag: "Nothing" }

export const beginFollowing = (origin: RunOrigin): Following => ({
  activity: noActivity(origin),
  question: "gate",
  keyboard: "idle"
})

/** The gate that a person can answer now. */
export const answerable = ({ prompt, question, sent }: Following): GatePrompt | undefined =>
  question === "gate" && prompt?.gate.promptId !== sent ? prompt : undefined

/** A key means something: the terminal has to give each of them, and not show them itself. */
export const wantsKeys = (following: Following): boolean =>
  following.question === "leave" || answerable(following) !== undefined

/** Whoever answered, and from wherever: the prompt of a gate that is not open any more is gone. */
const afterEvent = (following: Following, { age, event }: Extract<Input, { readonly _tag: "Event" }>): Following => {
  const activity = advanceActivity(following.activity, event)
  if (age === "past") return { ...following, activity }
  const gate = askedFirst(activity)
  if (gate?.promptId === following.prompt?.gate.promptId) return { ...following, activity }
  const { keyboard, question } = following
  const next: Following = { activity, keyboard, question }
  return gate === undefined ? next : { ...next, prompt: promptFor(gate) }
}

const isCtrlC = ({ key }: Key): boolean => key.ctrl && key.name === "c"

const ctrlC = (following: Following): readonly [Following, Action] =>
  following.question === "leave" ? [following, { _tag: "Cancel" }] : [{ ...following, question: "leave" }, nothing]

const pressLeave = (following: Following, { key }: Key): readonly [Following, Action] => {
  const stay: Following = { ...following, question: "gate" }
  switch (key.name) {
    case "c":
      return [stay, { _tag: "Cancel" }]
    case "d":
      return [stay, { _tag: "Detach" }]
    case "return":
    case "enter":
    case "escape":
      return [stay, nothing]
    default:
      return [following, nothing]
  }
}

const press = (following: Following, key: Key): readonly [Following, Action] => {
  if (isCtrlC(key)) return ctrlC(following)
  if (following.question === "leave") return pressLeave(following, key)
  const prompt = answerable(following)
  if (prompt === undefined) return [following, nothing]
  const pressed = pressGate(prompt, key)
  if (pressed._tag === "Open") return [{ ...following, prompt: pressed.prompt }, nothing]
  const { promptId } = prompt.gate
  return [
    { ...following, sent: promptId },
    { _tag: "Answer", promptId, answer: pressed.answer }
  ]
}

const withoutSent = ({ sent: _sent, ...following }: Following): Following => following

const afterRefusal = (following: Following, promptId: string, reason: string): Following =>
  following.prompt?.gate.promptId === promptId
    ? { ...withoutSent(following), prompt: refused(following.prompt, reason) }
    : following

const receive = (following: Following, input: Input): readonly [Following, Action] => {
  switch (input._tag) {
    case "Event":
      return [afterEvent(following, input), nothing]
    case "Listening":
      return [{ ...following, keyboard: "listening" }, nothing]
    case "Key":
      return press(following, input.key)
    case "CtrlC":
      return ctrlC(following)
    case "Refused":
      return [afterRefusal(following, input.promptId, input.reason), nothing]
  }
}

export const follow = (following: Following, input: Input): readonly [Following, Action] => {
  const [next, action] = receive(following, input)
  return [wantsKeys(next) ? next : { ...next, keyboard: "idle" }, action]
}
