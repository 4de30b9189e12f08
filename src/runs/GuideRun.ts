/** Says something to a run while it goes on. Its LLM steps hear it from the next step on (workflow language §5.14). */
import { Effect } from "effect"
import { isTerminal } from "../domain/RunStatus.ts"
import { GuidanceRefused } from "./RunErrors.ts"
import { RunInbox } from "./RunInbox.ts"
import { RunMonitor } from "./RunMonitor.ts"

const longestText = 10_000

/** Ends when the text is kept for the run, whether or not the run has heard it yet. */
export const guideRun = Effect.fn("GuideRun.guide")(function* (runId: string, text: string) {
  const monitor = yield* RunMonitor
  const inbox = yield* RunInbox
  const said = text.trim()
  if (said === "") return yield* new GuidanceRefused({ reason: "The text is blank." })
  if (said.length > longestText) {
    return yield* new GuidanceRefused({
      reason: `The text has ${said.length} characters; at most ${longestText} are passed on.`
    })
  }
  const view = yield* monitor.status(runId)
  if (isTerminal(view.status)) {
    return yield* new GuidanceRefused({ reason: `Run ${runId} has ended (${view.status}) and hears nothing any more.` })
  }
  yield* inbox.post(view.runId, { type: "guidance", text: said })
  return view
})
