/** `conductor_list_runs`: the runs of this machine, page by page. */
import { Effect, Schema } from "effect"
import { Boundary, type BoundaryShape } from "../../boundary/Boundary.ts"
import { RunStatus } from "../../domain/RunStatus.ts"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import type { RunView } from "../../runs/RunView.ts"
import { defaultListLimit, maximumListLimit } from "../definitions/ListRunsTool.ts"
import { largestOffset } from "../definitions/Parameters.ts"
import { toolNames } from "../definitions/ToolNames.ts"
import { pageAnswer } from "../PageAnswer.ts"
import type { JsonObject, ToolCall } from "../ToolSurface.ts"
import { decodeToolArguments } from "./ToolArguments.ts"

export const ListRunsArguments = Schema.Struct({
  status: Schema.optional(RunStatus),
  workflow: Schema.optional(Schema.String),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, maximumListLimit))),
  offset: Schema.optional(Schema.Int.pipe(Schema.between(0, largestOffset)))
})

const longestText = 200

const itemOf = (view: RunView, { text }: BoundaryShape): JsonObject => {
  const short = (value: string): string => text(value, { maxBytes: longestText })
  return {
    run_id: view.runId,
    status: view.status,
    workflow: short(view.workflow.name),
    registry: short(view.workflow.registry),
    ...(view.provenance.tool === undefined ? {} : { tool: short(view.provenance.tool) }),
    ...(view.progress.step === null ? {} : { step: short(view.progress.step) }),
    started_at: view.startedAt,
    ...(view.endedAt === undefined ? {} : { ended_at: view.endedAt }),
    ...(view.error === undefined ? {} : { error: short(view.error.message) })
  }
}

const nextText = (total: number, nextOffset: number | undefined): string => {
  if (total === 0) return "No run matches; leave out status and workflow to see all runs."
  const more =
    nextOffset === undefined ? "" : ` For older ones call ${toolNames.list} again with offset: ${nextOffset}.`
  return `${toolNames.status}(run_id) shows more of a run.${more}`
}

export const listRunsHandler = Effect.fn("listRunsHandler")(function* (call: ToolCall) {
  const boundary = yield* Boundary
  const monitor = yield* RunMonitor
  const {
    limit = defaultListLimit,
    offset = 0,
    ...filter
  } = yield* decodeToolArguments(toolNames.list, ListRunsArguments, call.arguments)
  const { status, workflow } = filter
  const page = yield* monitor.list({
    limit,
    offset,
    ...(status === undefined ? {} : { status }),
    ...(workflow === undefined ? {} : { workflow })
  })
  const warnings = page.warnings.slice(0, 3).map((warning) => boundary.text(warning, { maxBytes: 2 * longestText }))
  return pageAnswer({
    key: "runs",
    items: page.runs.map((view) => itemOf(view, boundary)),
    brief: (item) => item,
    offset,
    total: page.total,
    ...(warnings.length === 0 ? {} : { rest: { warnings } }),
    next: (nextOffset) => nextText(page.total, nextOffset)
  })
})
