/** A bounded wait for a run on behalf of a call. Interrupting it, or running out of time, never touches the run. */
import { Duration, Effect } from "effect"
import { Boundary } from "../boundary/Boundary.ts"
import { awaitRun } from "../runs/AwaitRun.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { makeProgressReport } from "./Progress.ts"
import type { ReportProgress } from "./ToolSurface.ts"

const longestName = 100

/** The newest view after at most `seconds`; earlier when the run ended or needs a person. */
export const waitForRun = Effect.fn("waitForRun")(function* (
  runId: string,
  seconds: number,
  report: ReportProgress | undefined
) {
  const monitor = yield* RunMonitor
  if (seconds <= 0) return yield* monitor.status(runId)
  if (report === undefined) return yield* awaitRun(runId, Duration.seconds(seconds))
  const boundary = yield* Boundary
  const progress = yield* makeProgressReport(yield* monitor.status(runId), report, (text) =>
    boundary.text(text, { maxBytes: longestName })
  )
  const view = yield* Effect.raceFirst(awaitRun(runId, Duration.seconds(seconds), progress.update), progress.run)
  yield* progress.settle
  return view
})
