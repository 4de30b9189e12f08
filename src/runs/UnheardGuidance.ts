/** What people said to a run that none of its processes heard before it ended. Pure. */
import { isNested, type RunEvent } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import { usableGuidance } from "../engine/Guidance.ts"
import type { ControlMessage } from "./RunInbox.ts"

/** A fork begins with events of another run, to which others have spoken. */
const ownEvents = (runId: RunId, history: ReadonlyArray<RunEvent>): ReadonlyArray<RunEvent> => {
  const start = history.findIndex(
    (event) => event.type === "workflow_started" && !isNested(event) && event.data.run_id === runId
  )
  return start === -1 ? [] : history.slice(start)
}

/** Texts are heard in the order in which they came, and each that was heard is one event of the log. */
export const unheardGuidance = (
  runId: RunId,
  messages: ReadonlyArray<ControlMessage>,
  history: ReadonlyArray<RunEvent>
): ReadonlyArray<string> => {
  const said = messages.flatMap((message) =>
    message.type === "guidance" ? usableGuidance([{ text: message.text, source: "cli" }]) : []
  )
  const heard = ownEvents(runId, history).filter(
    (event) => event.type === "guidance_applied" && event.data.source === "cli"
  )
  return said.slice(heard.length).map(({ text }) => text)
}
