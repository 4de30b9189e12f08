/** From the name of a tool to its handler. Whatever happens, a call gets an answer, within a time that hosts can bear. */
import { Cause, Duration, Effect } from "effect"
import { Boundary } from "../boundary/Boundary.ts"
import type { RunCancellation } from "../runs/RunCancellation.ts"
import type { RunLauncher } from "../runs/RunLauncher.ts"
import type { RunMonitor } from "../runs/RunMonitor.ts"
import { toolNames } from "./definitions/ToolNames.ts"
import { awaitRunHandler } from "./handlers/AwaitRun.ts"
import { cancelRunHandler } from "./handlers/CancelRun.ts"
import { findWorkflowHandler } from "./handlers/FindWorkflow.ts"
import { listRunsHandler } from "./handlers/ListRuns.ts"
import { runStatusHandler } from "./handlers/RunStatus.ts"
import { runWorkflow } from "./handlers/RunWorkflow.ts"
import { startRun } from "./handlers/StartRun.ts"
import { hostLimit } from "./HostLimits.ts"
import { internalError, refusal, type ToolError } from "./Refusal.ts"
import type { RunAdmission } from "./RunAdmission.ts"
import type { RunAnswers } from "./RunAnswers.ts"
import { ServeContext } from "./ServeContext.ts"
import { CallTimeout, UnknownWorkflow } from "./ToolErrors.ts"
import type { ToolCall, ToolResult } from "./ToolSurface.ts"

/** Seconds that a call may take besides its wait: a start and a cancellation have limits of their own below it. */
const allowance = 45

const startByTool = Effect.fn("startByTool")(function* (call: ToolCall) {
  const { contents } = yield* ServeContext
  const entry = contents.entries.find(({ tool }) => tool === call.name)
  if (entry === undefined) return yield* new UnknownWorkflow({ name: call.name })
  return yield* startRun(entry, call.arguments, call)
})

export type ToolServices =
  Boundary | RunAdmission | RunAnswers | RunCancellation | RunLauncher | RunMonitor | ServeContext

const handle = (call: ToolCall): Effect.Effect<ToolResult, ToolError, ToolServices> => {
  switch (call.name) {
    case toolNames.find:
      return findWorkflowHandler(call)
    case toolNames.run:
      return runWorkflow(call)
    case toolNames.await:
      return awaitRunHandler(call)
    case toolNames.status:
      return runStatusHandler(call)
    case toolNames.cancel:
      return cancelRunHandler(call)
    case toolNames.list:
      return listRunsHandler(call)
    default:
      return startByTool(call)
  }
}

/** `call.name` must be one of the published names. Interrupting it gives up the call and leaves the run alone. */
export const callTool = Effect.fn("callTool")(function* (call: ToolCall) {
  const boundary = yield* Boundary
  const { options } = yield* ServeContext
  const seconds = Math.min(options.maxWaitSeconds, hostLimit(call.client?.name)) + allowance
  return yield* handle(call).pipe(
    Effect.timeoutFail({
      duration: Duration.seconds(seconds),
      onTimeout: () => new CallTimeout({ tool: call.name, seconds })
    }),
    Effect.catchAll((error) => Effect.succeed(refusal(error, boundary, options.toolsets))),
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.failCause(cause)
        : Effect.as(Effect.logError(`${call.name} failed`, cause), internalError)
    )
  )
})
