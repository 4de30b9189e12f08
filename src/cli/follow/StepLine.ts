/** What scrolls by while a run is followed on a terminal: one line for each step that ended, and for what went wrong. Pure. */
import type { RunEvent } from "../../domain/RunEvent.ts"
import { shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { cutToWidth, padToWidth } from "../output/Table.ts"
import { elapsedText } from "../runs/RunReport.ts"
import { endedStep, type Ended } from "./EndedStep.ts"

export interface LineStyle {
  readonly style: Style
  /** Columns of the terminal. */
  readonly columns: number
  /** Columns of the names, so that what follows them is aligned. */
  readonly names: number
}

/** The longest type, `human_gate`, and the longest usual time, `59m 59s`. */
const typeWidth = 10
const timeWidth = 7
/** Longer names stand out of their column. */
const widestColumn = 32

const marks = { done: "✓", failed: "✗", noted: "!" } as const

const coloured = ({ outcome }: Ended, { dim, green, red, yellow }: Style) =>
  ({ done: { mark: green, rest: dim }, failed: { mark: red, rest: red }, noted: { mark: yellow, rest: yellow } })[
    outcome
  ]

/** One row of the terminal, or nothing for an event that nobody waits for. */
export const stepLine = (event: RunEvent, { columns, names, style }: LineStyle): string | undefined => {
  const ended = endedStep(event)
  if (ended === undefined) return undefined
  const time = ended.elapsed === undefined ? "" : elapsedText(ended.elapsed * 1000)
  const before = [
    padToWidth(shownInline(ended.name), Math.min(names, widestColumn), "left"),
    padToWidth(ended.type, typeWidth, "left"),
    padToWidth(time, timeWidth, "right")
  ].join("  ")
  const { mark, rest } = coloured(ended, style)
  const text = cutToWidth(`${before}  ${shownInline(ended.details)}`.trimEnd(), columns - 2)
  return `${mark(marks[ended.outcome])} ${text.slice(0, before.length)}${rest(text.slice(before.length))}`
}
