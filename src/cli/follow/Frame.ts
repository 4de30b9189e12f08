/** What stands at the bottom of the terminal while a run is followed: what is at work, how far the run is, what is asked. Pure. */
import { dollars } from "../../domain/Dollars.ts"
import { stepCounts } from "../../runs/StepCounts.ts"
import type { ScreenSize } from "../output/LiveRegion.ts"
import { shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { cutToWidth } from "../output/Table.ts"
import { elapsedText } from "../runs/RunReport.ts"
import { foremost, placeOf, type Active, type Activity } from "./Activity.ts"
import { answerable, type Following } from "./Following.ts"
import { promptLines } from "./PromptLines.ts"
import { tally } from "./EndedStep.ts"

/** More that is at work at once is only counted. */
const mostActive = 4

const leaveQuestion: ReadonlyArray<string> = [
  "Cancel the run, or detach and leave it running?",
  "[c]ancel / [d]etach / Enter to keep following "
]

/** Whole seconds, so that the lines stand still between them. `since` is unix time in seconds, `now` in milliseconds. */
const elapsed = (since: number, now: number): string => {
  const seconds = Math.max(0, Math.floor(now / 1000 - since))
  return seconds < 10 ? `${seconds}s` : elapsedText(seconds * 1000)
}

const doing = (active: Active): string =>
  active._tag === "Group" ? tally(active.succeeded, active.failed, active.size) : active.type

const activeLines = (activity: Activity, now: number, style: Style, columns: number): ReadonlyArray<string> => {
  const all = foremost(activity)
  const left = all.length - mostActive
  const lines = all
    .slice(0, mostActive)
    .map((one) => `  ${shownInline(placeOf(one))}  ${doing(one)}  ${elapsed(one.since, now)}`)
  return [...lines, ...(left > 0 ? [`  and ${left} more`] : [])].map((line) => style.dim(cutToWidth(line, columns - 1)))
}

/** `name  2 of 5 steps done  1m 12s  $0.12`. */
const summary = ({ run, since }: Activity, now: number): string => {
  const { name, spec, status, stepsCompleted, stepsTotal, usage } = run
  if (since === undefined) return `${shownInline(spec.workflow.name)}  starting`
  const progress = { step: run.step, stepsCompleted, stepsTotal, usage }
  return [
    shownInline(name ?? spec.workflow.name),
    stepCounts({ progress, status }),
    elapsed(since, now),
    ...(usage.cost_usd === null ? [] : [dollars(usage.cost_usd)])
  ].join("  ")
}

export interface FrameSetting {
  readonly size: ScreenSize
  /** Unix time in milliseconds. */
  readonly now: number
  readonly style: Style
  /** Without it only what is asked is shown. */
  readonly progress: "shown" | "hidden"
}

/** Fewer lines than the terminal has, each narrower than it is; what is asked stays when there is no room for the rest. */
export const frame = (following: Following, { now, progress, size, style }: FrameSetting): ReadonlyArray<string> => {
  const { activity, keyboard, question } = following
  const prompt = answerable(following)
  const room = size.rows - 1
  const gate = prompt === undefined ? [] : promptLines(prompt, size, room, style)
  const open = question === "leave" ? leaveQuestion.map((line) => cutToWidth(line, size.columns - 1)) : gate
  const asked = keyboard === "listening" ? open : []
  const told =
    progress === "hidden"
      ? []
      : [...activeLines(activity, now, style, size.columns), cutToWidth(summary(activity, now), size.columns - 1)]
  return [...told, ...asked].slice(-room)
}
