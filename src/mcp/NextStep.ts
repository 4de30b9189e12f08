/** What to do now, for each state of a run: every answer says it, so that a model never has to guess. */
import type { RunView } from "../runs/RunView.ts"
import { toolNames } from "./definitions/ToolNames.ts"
import type { Toolset } from "./ServeFlags.ts"

/** Where reading on begins when the answer holds only a part of the output. */
export interface Shown {
  readonly nextOffset?: number
}

const outputHint = (runId: string, { nextOffset }: Shown, toolsets: ReadonlyArray<Toolset>): string => {
  if (nextOffset === undefined) return ""
  return toolsets.includes("runs")
    ? ` Only a part of the output is shown; read on with ${toolNames.status}(run_id: "${runId}", output_offset: ${nextOffset}).`
    : ` Only a part of the output is shown; 'conductor status ${runId}' in a terminal shows all of it.`
}

const follow = (runId: string, toolsets: ReadonlyArray<Toolset>): string =>
  toolsets.includes("runs")
    ? `Call ${toolNames.await}(run_id: "${runId}") when you need the result, or go on with other work: the run needs no attention.`
    : `It goes on by itself; 'conductor status ${runId}' in a terminal shows how far it is.`

const inputHint = ({ gate }: RunView): string =>
  gate?.options.some(({ promptFor }) => promptFor !== undefined) === true
    ? ", with --input <prompt_for>=<text> where an option asks for text"
    : ""

const after = (runId: string, toolsets: ReadonlyArray<Toolset>): string =>
  toolsets.includes("runs")
    ? `Once they have, ${toolNames.await}(run_id: "${runId}") waits for the result; before that it returns at once.`
    : `'conductor status ${runId}' shows how the run goes on.`

const resume = (runId: string): string => `'conductor resume ${runId}' in a terminal goes on with it where it stopped`

export const nextStep = (view: RunView, shown: Shown, toolsets: ReadonlyArray<Toolset>): string => {
  const { runId, status } = view
  const more = outputHint(runId, shown, toolsets)
  switch (status) {
    case "running":
      return `The run goes on. ${follow(runId, toolsets)}`
    case "completed":
      return `The run is done.${more === "" ? " Use its output." : more}`
    case "failed":
      return `The run failed; error says why and at which step. Mend the cause, then call the tool again for a new run, or tell the user that ${resume(runId)}.${more}`
    case "cancelled":
      return `The run was cancelled. Call the tool again for a new run; ${resume(runId)}.${more}`
    case "lost":
      return `The process of the run is gone without a last word, so what it was doing may be half done. Tell the user that ${resume(runId)}; or call the tool again for a new run.`
    case "awaiting_gate":
      return `The run waits for a person's answer to gate. Tell the user what it asks and that they answer in a terminal: conductor gate respond ${runId} <value>${inputHint(view)}. No tool can answer. ${after(runId, toolsets)}`
    case "paused":
      return `The run is paused until a person lets it go on. Tell the user. ${follow(runId, toolsets)}`
  }
}
