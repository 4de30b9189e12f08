/** The last words of a command that followed a run: its output, or why there is none. */
import { Effect } from "effect"
import type { RunView } from "../../runs/RunView.ts"
import { failed } from "../CliFailure.ts"
import { Output, printJson, printJsonLine } from "../output/Output.ts"
import { runJson } from "../runs/RunReport.ts"
import type { FollowMode } from "./FollowMode.ts"

const advice = ({ error, runId, status }: RunView): string =>
  status === "failed" && error?.type === "WorkflowTerminated"
    ? `See 'conductor logs ${runId}'.`
    : `See 'conductor logs ${runId}'; go on with 'conductor resume ${runId}'.`

const checkCompleted = (view: RunView) => {
  if (view.status === "completed") return Effect.void
  const reason = view.error === undefined ? "" : `\n${view.error.type}: ${view.error.message}`
  return failed(`Run ${view.runId} ${view.status}.${reason}\n${advice(view)}`)
}

/** The last line of what a program reads: its type is that of no event. */
const printResult = (view: RunView) => printJsonLine({ type: "run_result", run: runJson(view) })

const printOutput = ({ output }: RunView) => (output === undefined ? Effect.void : printJson(output))

/** Fails if the run did not complete. */
export const printEnd = (view: RunView, mode: FollowMode) =>
  Effect.zipRight(mode === "json" ? printResult(view) : printOutput(view), checkCompleted(view))

/** The run goes on without anybody who watches it. */
export const printDetached = (view: RunView, mode: FollowMode) =>
  Effect.gen(function* () {
    const output = yield* Output
    if (mode === "json") yield* printResult(view)
    yield* output.report(
      `Run ${view.runId} goes on.\nFollow it with 'conductor logs ${view.runId} --follow', end it with 'conductor stop ${view.runId}'.`
    )
  })
