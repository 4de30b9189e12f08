/** A run as the command line shows it: the same facts as JSON and as lines for a person. */
import { DateTime, Duration, Option } from "effect"
import { isTerminal, type RunStatus } from "../../domain/RunStatus.ts"
import type { ValueMap } from "../../domain/Value.ts"
import type { RunView } from "../../runs/RunView.ts"
import { stepCounts } from "../../runs/StepCounts.ts"
import { gateJson, gateLines, respondCommand } from "../gate/GateText.ts"
import { shown, shownInline } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"

/** Keys are stable: scripts read them. Times are ISO 8601 in UTC. */
export const runJson = (view: RunView): ValueMap => ({
  run_id: view.runId,
  status: view.status,
  workflow: {
    name: view.workflow.name,
    registry: view.workflow.registry,
    key: view.workflow.key,
    pin: view.workflow.pin
  },
  started_at: view.startedAt,
  ...(view.endedAt === undefined ? {} : { ended_at: view.endedAt }),
  progress: {
    step: view.progress.step,
    steps_completed: view.progress.stepsCompleted,
    steps_total: view.progress.stepsTotal
  },
  usage: { ...view.progress.usage },
  ...(view.gate === undefined ? {} : { gate: gateJson(view.gate) }),
  ...(view.output === undefined ? {} : { output: view.output }),
  ...(view.error === undefined ? {} : { error: { ...view.error } }),
  ...(view.pid === undefined ? {} : { pid: view.pid }),
  warnings: view.warnings,
  logs: { ...view.files }
})

export const statusText = (status: RunStatus, style: Style): string => {
  switch (status) {
    case "completed":
      return style.green(status)
    case "failed":
    case "lost":
      return style.red(status)
    case "cancelled":
    case "paused":
    case "awaiting_gate":
      return style.yellow(status)
    case "running":
      return style.bold(status)
  }
}

/** `0.3s`, `12s`, `2m 5s`, `1h 4m`: at most two units, and tenths only where they tell something. */
export const elapsedText = (milliseconds: number): string => {
  const tenths = Math.max(0, Math.round(milliseconds / 100))
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`
  const seconds = Math.round(tenths / 10)
  if (seconds < 60) return `${seconds}s`
  const text = Duration.format(Duration.seconds(seconds < 3600 ? seconds : seconds - (seconds % 60)))
  return text.split(" ").slice(0, 2).join(" ")
}

const instant = (iso: string): number =>
  Option.match(DateTime.make(iso), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

export const runElapsed = (view: RunView, now: number): string =>
  elapsedText((view.endedAt === undefined ? now : instant(view.endedAt)) - instant(view.startedAt))

export const progressText = (view: RunView): string => {
  const { step } = view.progress
  const done = stepCounts(view)
  return step === null ? done : `${done}, ${isTerminal(view.status) ? "last" : "now"}: ${shownInline(step)}`
}

/** Label and value lines, aligned. */
export const runLines = (view: RunView, now: number, style: Style): ReadonlyArray<string> => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["run", view.runId],
    ["status", statusText(view.status, style)],
    ["workflow", `${shownInline(view.workflow.name)}  ${style.dim(`${view.workflow.registry}/${view.workflow.key}`)}`],
    ["started", `${view.startedAt}  ${style.dim(runElapsed(view, now))}`],
    ["progress", progressText(view)],
    ...(view.gate === undefined
      ? []
      : [["gate", gateLines(view.gate, respondCommand(view.runId)).join("\n")] as const]),
    ...(view.error === undefined ? [] : [["error", shown(`${view.error.type}: ${view.error.message}`)] as const]),
    ...(view.lastEvent === undefined
      ? []
      : [["last event", `${view.lastEvent.type} at ${view.lastEvent.at}`] as const]),
    ...view.warnings.map((warning) => ["warning", shown(warning)] as const),
    ["events", view.files.events]
  ]
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, text]) => {
    const margin = " ".repeat(width + 2)
    return `${style.dim(label.padEnd(width))}  ${text.replaceAll("\n", `\n${margin}`)}`
  })
}
