/** `conductor_await_run`: a bounded wait for a run that somebody started, in this server or elsewhere. */
import { Effect, Schema } from "effect"
import { toolNames } from "../definitions/ToolNames.ts"
import { hostLimit } from "../HostLimits.ts"
import { RunAnswers } from "../RunAnswers.ts"
import { ServeContext } from "../ServeContext.ts"
import type { ToolCall } from "../ToolSurface.ts"
import { waitForRun } from "../Waiting.ts"
import { awaitWait } from "../WaitTime.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const AwaitRunArguments = Schema.Struct({
  run_id: Schema.String,
  wait_seconds: Schema.optional(Schema.NonNegative)
})

export const awaitRunHandler = Effect.fn("awaitRunHandler")(function* (call: ToolCall) {
  const answers = yield* RunAnswers
  const { options } = yield* ServeContext
  const { run_id, wait_seconds } = yield* decodeToolArguments(toolNames.await, AwaitRunArguments, call.arguments)
  const limits = { server: options.maxWaitSeconds, host: hostLimit(call.client?.name) }
  const view = yield* waitForRun(run_id, awaitWait(wait_seconds, limits), call.progress)
  return answers.of(view)
})
