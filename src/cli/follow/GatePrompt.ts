/**
 * An open gate in front of a person who types: from keys to an answer that the gate takes. Pure. Nothing is chosen at
 * first, so that keys which were pressed before the question came answer nothing by accident.
 */
import { Either, Option } from "effect"
import { checkAnswer, type GateAnswer, type OpenGate } from "../../domain/Gate.ts"
import type { Key } from "./Keyboard.ts"

export type GateOption = OpenGate["options"][number]

export interface GatePrompt {
  readonly gate: OpenGate
  /** What has been typed: a value or a number, or the text that `writing` asks for. */
  readonly text: string
  /** Index of the option that the arrows point at. */
  readonly marked?: number
  /** The option that was chosen and needs a text. */
  readonly writing?: GateOption
  /** Why the last answer was not taken. */
  readonly refusal?: string
}

export type Pressed =
  { readonly _tag: "Open"; readonly prompt: GatePrompt } | { readonly _tag: "Answered"; readonly answer: GateAnswer }

export const promptFor = (gate: OpenGate): GatePrompt => ({ gate, text: "" })

export const refused = ({ gate }: GatePrompt, refusal: string): GatePrompt => ({ gate, text: "", refusal })

const open = (prompt: GatePrompt): Pressed => ({ _tag: "Open", prompt })

/** Only one of them holds: what is typed, or what the arrows point at. */
const typing = ({ marked: _marked, refusal: _refusal, ...prompt }: GatePrompt, text: string): GatePrompt => ({
  ...prompt,
  text
})

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const withoutLast = (text: string): string => text.slice(0, [...graphemes.segment(text)].at(-1)?.index ?? 0)

const withoutLastWord = (text: string): string => text.replace(/\S*\s*$/u, "")

const answer = (prompt: GatePrompt, selected: string, additionalInput: GateAnswer["additionalInput"]): Pressed =>
  Either.match(checkAnswer(prompt.gate, { selected, additionalInput }), {
    onLeft: ({ reason }) => open(refused(prompt, reason)),
    onRight: (answer) => ({ _tag: "Answered", answer })
  })

const choose = (prompt: GatePrompt, option: GateOption): Pressed =>
  option.promptFor === undefined
    ? answer(prompt, option.value, {})
    : open({ gate: prompt.gate, text: "", writing: option })

/** A value before a number, since values may be numbers; then a label, for values that nobody would type. */
const optionNamed = ({ gate: { options } }: GatePrompt, text: string): GateOption | undefined =>
  options.find(({ value }) => value === text) ??
  (/^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined) ??
  options.find(({ label }) => label.toLowerCase() === text.toLowerCase())

const confirm = (prompt: GatePrompt): Pressed => {
  const { gate, marked, text, writing } = prompt
  if (writing !== undefined) return answer(prompt, writing.value, { [writing.promptFor ?? ""]: text })
  const typed = text.trim()
  if (typed === "" && marked === undefined) {
    return open(refused(prompt, "choose with the arrow keys, or type a number or a value."))
  }
  const option = typed === "" ? gate.options[marked ?? 0] : optionNamed(prompt, typed)
  return option === undefined ? answer(prompt, typed, {}) : choose(prompt, option)
}

const mark = (prompt: GatePrompt, step: 1 | -1): GatePrompt => {
  const { gate, marked, writing } = prompt
  if (writing !== undefined) return prompt
  const { length } = gate.options
  const from = marked ?? (step === 1 ? -1 : 0)
  return { gate, text: "", marked: (from + step + length) % length }
}

/** What a key puts into a text: a character, or several that were pasted at once. */
const characters = ({ input, key }: Key): string =>
  key.ctrl || key.meta ? "" : Option.getOrElse(input, () => "").replaceAll(/\p{Control}/gu, "")

export const pressGate = (prompt: GatePrompt, pressed: Key): Pressed => {
  const { text, writing } = prompt
  const { ctrl, name } = pressed.key
  switch (name) {
    case "return":
      return confirm(prompt)
    // Ctrl-J: a text may have several lines.
    case "enter":
      return writing === undefined ? confirm(prompt) : open(typing(prompt, `${text}\n`))
    case "up":
      return open(mark(prompt, -1))
    case "down":
      return open(mark(prompt, 1))
    case "escape":
      return open(promptFor(prompt.gate))
    case "backspace":
      return open(typing(prompt, withoutLast(text)))
    case "u":
      if (ctrl) return open(typing(prompt, ""))
      break
    case "w":
      if (ctrl) return open(typing(prompt, withoutLastWord(text)))
      break
  }
  const added = characters(pressed)
  return open(added === "" ? prompt : typing(prompt, text + added))
}
