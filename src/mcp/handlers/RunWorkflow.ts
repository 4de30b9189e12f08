/** `conductor_run_workflow`: a start by the name that `conductor_find_workflow` gives. */
import { Effect, Schema } from "effect"
import { toolNames } from "../definitions/ToolNames.ts"
import { nearest } from "../../domain/NearMatch.ts"
import { ServeContext } from "../ServeContext.ts"
import { UnknownWorkflow } from "../ToolErrors.ts"
import type { ToolCall } from "../ToolSurface.ts"
import { startRun } from "./StartRun.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const RunWorkflowArguments = Schema.Struct({
  name: Schema.String,
  inputs: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  _wait_seconds: Schema.optional(Schema.NonNegative)
})

export const runWorkflow = Effect.fn("runWorkflow")(function* (call: ToolCall) {
  const { contents } = yield* ServeContext
  const { name, inputs, _wait_seconds } = yield* decodeToolArguments(
    toolNames.run,
    RunWorkflowArguments,
    call.arguments
  )
  const entry = contents.entries.find((candidate) => candidate.tool === name)
  if (entry === undefined) {
    const near = nearest(
      name,
      contents.entries.map(({ tool }) => tool)
    )
    return yield* new UnknownWorkflow({ name, near })
  }
  const given = { ...inputs, ...(_wait_seconds === undefined ? {} : { _wait_seconds }) }
  return yield* startRun(entry, given, call)
})
