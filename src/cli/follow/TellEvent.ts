/** Shows what happens in a run that is followed, in the way that was asked for. */
import { Effect, Option } from "effect"
import type { OpenGate } from "../../domain/Gate.ts"
import { eventData, type RunEvent } from "../../domain/RunEvent.ts"
import { gateLines, respondCommand } from "../gate/GateText.ts"
import { Output, printJsonLine, shown, shownInline } from "../output/Output.ts"
import { eventLine } from "../runs/EventLine.ts"
import type { FollowMode } from "./FollowMode.ts"
import type { Following } from "./Following.ts"
import { frame } from "./Frame.ts"
import { stepLine } from "./StepLine.ts"

/** Draws the bottom of the screen, if there is one. */
export const draw = (following: Following, mode: FollowMode) =>
  Effect.gen(function* () {
    const output = yield* Output
    const screen = yield* output.screen
    if (Option.isNone(screen)) return
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const progress = mode === "screen" ? "shown" : "hidden"
    yield* output.region(frame(following, { size: screen.value, now, style: output.errorStyle, progress }))
  })

const tellOnScreen = (event: RunEvent, following: Following) =>
  Effect.gen(function* () {
    const output = yield* Output
    const screen = yield* output.screen
    if (Option.isNone(screen)) return
    const { columns } = screen.value
    const line = stepLine(event, { style: output.errorStyle, columns, names: following.activity.widestName })
    if (line === undefined) return
    // What has just ended must not stand below its own line as if it were still at work.
    yield* draw(following, "screen")
    yield* output.report(line)
  })

export const tellEvent = (event: RunEvent, following: Following, mode: FollowMode) => {
  switch (mode) {
    case "screen":
      return tellOnScreen(event, following)
    case "lines":
      return Effect.flatMap(Output, (output) => output.report(eventLine(event, output.errorStyle)))
    case "json":
      return printJsonLine({ ...event, data: eventData(event) })
    case "quiet":
      return Effect.void
  }
}

/** Said once for each gate. `asked`: an answer can be typed here; else how to give one elsewhere is a part of it. */
export const tellGate = ({ gate, runId }: { gate: OpenGate; runId: string }, way: "asked" | "told") =>
  Effect.gen(function* () {
    const output = yield* Output
    const { bold } = output.errorStyle
    const text =
      way === "asked"
        ? `${bold(`${shownInline(gate.step)} asks:`)} ${shown(gate.prompt)}`
        : gateLines(gate, respondCommand(runId)).join("\n")
    yield* output.report(text)
  })
