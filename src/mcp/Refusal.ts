/** A call that could not be done, as a result that a model can act on: what, why, and what to do now. */
import type { BoundaryShape } from "../boundary/Boundary.ts"
import type { ArgumentsError } from "../catalogue/DecodeArguments.ts"
import type { LaunchError, RunNotFound, RunStoreError } from "../runs/RunErrors.ts"
import { toolNames } from "./definitions/ToolNames.ts"
import type { Toolset } from "./ServeFlags.ts"
import type { CallTimeout, InvalidArguments, TooManyRuns, UnknownWorkflow } from "./ToolErrors.ts"
import type { JsonObject, ToolResult } from "./ToolSurface.ts"

export type ToolError =
  | ArgumentsError
  | CallTimeout
  | InvalidArguments
  | LaunchError
  | RunNotFound
  | RunStoreError
  | TooManyRuns
  | UnknownWorkflow

const longestMessage = 3_072

const startRemedy = (reason: LaunchError["reason"]): string => {
  switch (reason) {
    case "inputs":
      return "Correct the inputs and call the tool again."
    case "drift":
      return "The workflow file changed after this server read it. Tell the user to restart the server, which adopts the change."
    case "limit":
      return "Wait for a run to end, or cancel one, and call the tool again."
    case "workflow":
    case "unsupported":
      return "The workflow itself must be changed first: tell the user what the error says."
    case "directory":
    case "environment":
    case "storage":
    case "process":
      return "Tell the user what the error says: the machine of the server needs attention."
  }
}

const launchRemedy = ({ reason, runId }: LaunchError): string =>
  `${startRemedy(reason)} ${runId === undefined ? "No run was started." : `The run '${runId}' ended as it began.`}`

const remedy = (error: ToolError, toolsets: ReadonlyArray<Toolset>): string => {
  const hasRunTools = toolsets.includes("runs")
  switch (error._tag) {
    case "ArgumentsError":
    case "InvalidArguments":
      return "Correct the arguments and call the tool again. Nothing was done."
    case "UnknownWorkflow":
      return `Call ${toolNames.find} for the names that are served. No run was started.`
    case "RunNotFound":
      return hasRunTools
        ? `Call ${toolNames.list} for the runs that are known.`
        : "Use the run_id that a workflow tool returned."
    case "TooManyRuns":
      return hasRunTools
        ? `Call ${toolNames.list}(status: "running") to see them; wait for one with ${toolNames.await}, or end one with ${toolNames.cancel}, and call the tool again.`
        : "Wait for a run to end and call the tool again."
    case "CallTimeout":
      return "Call the tool again. A run that was started goes on."
    case "RunStoreError":
      return "Tell the user what the error says: the machine of the server needs attention."
    case "LaunchError":
      return launchRemedy(error)
  }
}

const refuse = (type: string, message: string, next: string, about: JsonObject = {}): ToolResult => {
  const structuredContent = { ...about, error: { type, message }, next }
  return { structuredContent, text: JSON.stringify(structuredContent), isError: true }
}

export const refusal = (error: ToolError, boundary: BoundaryShape, toolsets: ReadonlyArray<Toolset>): ToolResult => {
  const message = boundary.text(error.message, { maxBytes: longestMessage })
  // A run that wrote events before its start failed has happened, and can be looked at.
  const about = error._tag === "LaunchError" && error.runId !== undefined ? { run_id: error.runId } : {}
  return refuse(error._tag, message, remedy(error, toolsets), about)
}

/** A defect of this program. Its details are for the operator's log, not for a model. */
export const internalError: ToolResult = refuse(
  "InternalError",
  "The server failed in a way that is a fault of its own.",
  "Tell the user to look at the log of the server (its standard error). A run that was started goes on."
)

/** The server cannot work at all, for a reason outside of this program. `message` has passed the boundary. */
export const unavailable = (message: string): ToolResult =>
  refuse("Unavailable", message, "Tell the user what the error says: the machine of the server needs attention.")
