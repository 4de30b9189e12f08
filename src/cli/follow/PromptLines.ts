/** A question at the bottom of the terminal: its options, and the line on which the answer is typed. Pure. */
import stringWidth from "string-width"
import type { ScreenSize } from "../output/LiveRegion.ts"
import { shown, shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { cutToWidth, keepEnd, padToWidth } from "../output/Table.ts"
import type { GateOption, GatePrompt } from "./GatePrompt.ts"

const longestValue = 24

/** The engine's own choices, such as going back, are called by their label alone. */
const valueText = ({ label, value }: GateOption): string => (/^__\w+__$/.test(value) || value === label ? label : value)

const optionText = (option: GateOption, width: number): string => {
  const value = shownInline(valueText(option))
  const label = valueText(option) === option.label ? "" : shownInline(option.label)
  const asks = option.promptFor === undefined ? "" : `(asks for ${shownInline(option.promptFor)})`
  return [padToWidth(value, width, "left"), label, asks]
    .filter((part) => part !== "")
    .join("  ")
    .trimEnd()
}

/** As many as fit, around the one that is marked. */
const windowOf = (count: number, room: number, marked: number): readonly [from: number, to: number] => {
  if (count <= room) return [0, count]
  const from = Math.min(Math.max(0, marked - Math.floor(room / 2)), count - room)
  return [from, from + room]
}

const optionLines = (
  { gate: { options }, marked }: GatePrompt,
  { columns }: ScreenSize,
  room: number,
  style: Style
): ReadonlyArray<string> => {
  const width = Math.min(longestValue, Math.max(...options.map((option) => shownInline(valueText(option)).length)))
  const digits = String(options.length).length
  const [from, to] = windowOf(options.length, room, marked ?? 0)
  return options.slice(from, to).map((option, at) => {
    const index = from + at
    const number = String(index + 1).padStart(digits)
    const line = cutToWidth(`${index === marked ? "❯" : " "} ${number}  ${optionText(option, width)}`, columns - 1)
    return index === marked ? style.bold(line) : line
  })
}

/** What is typed stays visible at its end, where the cursor is. */
const inputLine = (label: string, text: string, { columns }: ScreenSize): string => {
  const head = cutToWidth(`${label}: `, Math.floor(columns / 2))
  return head + keepEnd(shown(text.replaceAll("\n", "⏎")), columns - 1 - stringWidth(head))
}

const hint = ({ writing }: GatePrompt): string =>
  writing === undefined
    ? "Arrow keys, a number or a value, then Enter"
    : "Enter sends it, Ctrl-J begins a new line, Esc goes back to the options"

/** At most `room` lines, of which the last is the one that is typed on. */
export const promptLines = (
  prompt: GatePrompt,
  size: ScreenSize,
  room: number,
  style: Style
): ReadonlyArray<string> => {
  const { gate, refusal, text, writing } = prompt
  const said =
    refusal === undefined
      ? style.dim(cutToWidth(hint(prompt), size.columns - 1))
      : style.yellow(cutToWidth(shownInline(refusal), size.columns - 1))
  const label = shownInline(writing?.promptFor ?? gate.step)
  const options = writing === undefined ? optionLines(prompt, size, Math.max(1, room - 2), style) : []
  return [...options, said, inputLine(label, text, size)]
}
