/** `conductor_run_status`: the state of a run at once, or a part of its output. */
import { Effect, Schema } from "effect"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import { defaultOutputLimit, maximumOutputLimit } from "../definitions/RunStatusTool.ts"
import { largestOffset } from "../definitions/Parameters.ts"
import { toolNames } from "../definitions/ToolNames.ts"
import { RunAnswers } from "../RunAnswers.ts"
import type { ToolCall } from "../ToolSurface.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const RunStatusArguments = Schema.Struct({
  run_id: Schema.String,
  output_offset: Schema.optional(Schema.Int.pipe(Schema.between(0, largestOffset))),
  output_limit: Schema.optional(Schema.Int.pipe(Schema.between(1, maximumOutputLimit)))
})

export const runStatusHandler = Effect.fn("runStatusHandler")(function* (call: ToolCall) {
  const answers = yield* RunAnswers
  const monitor = yield* RunMonitor
  const { run_id, output_offset, output_limit } = yield* decodeToolArguments(
    toolNames.status,
    RunStatusArguments,
    call.arguments
  )
  const paged = output_offset !== undefined || output_limit !== undefined
  const page = { offset: output_offset ?? 0, limit: output_limit ?? defaultOutputLimit }
  const view = yield* monitor.status(run_id)
  return answers.of(view, paged ? { page } : {})
})
