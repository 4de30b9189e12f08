/**
 * The fold from events to what is known of a run. Pure and incremental: a reader keeps the fold and the place in the
 * log, and advances by what is new. It must never depend on anything but the spec and the events.
 */
import { Option, Schema } from "effect"
import type { RunEvent, RunEventType, Usage } from "../domain/RunEvent.ts"
import { RunId } from "../domain/RunId.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import { Provenance, WorkflowIdentity, type RunSpec } from "./RunSpec.ts"
import type { RunError, RunView } from "./RunView.ts"
import { toldPins } from "./WorkflowPins.ts"

const StepName = Schema.NullOr(Schema.String)

/** Everything but the output, in a form that an index can keep. */
export const RunDigest = Schema.Struct({
  spec: Schema.Struct({
    run_id: RunId,
    workflow: WorkflowIdentity,
    provenance: Provenance,
    created_at: Schema.String
  }),
  status: Schema.Literal("running", "completed", "failed", "cancelled"),
  /** `workflow.name`, once the run has said it. */
  name: Schema.optionalWith(Schema.String, { exact: true }),
  startedAt: Schema.optionalWith(Schema.String, { exact: true }),
  endedAt: Schema.optionalWith(Schema.String, { exact: true }),
  step: StepName,
  stepsCompleted: Schema.Number,
  stepsTotal: Schema.Number,
  usage: Schema.Struct({
    input_tokens: Schema.Number,
    output_tokens: Schema.Number,
    cost_usd: Schema.NullOr(Schema.Number)
  }),
  error: Schema.optionalWith(Schema.Struct({ type: Schema.String, message: Schema.String, step: StepName }), {
    exact: true
  }),
  lastEvent: Schema.optionalWith(Schema.Struct({ seq: Schema.Number, type: Schema.String, at: Schema.String }), {
    exact: true
  }),
  warnings: Schema.Array(Schema.String)
})
export type RunDigest = typeof RunDigest.Type

export interface RunFold extends RunDigest {
  readonly output?: ValueMap
}

/** A run that warns without end must not grow its view without end; the log keeps them all. */
const keptWarnings = 20

export const emptyFold = ({ created_at, provenance, run_id, workflow }: RunSpec): RunFold => ({
  spec: { created_at, provenance, run_id, workflow },
  status: "running",
  step: null,
  stepsCompleted: 0,
  stepsTotal: 0,
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: null },
  warnings: []
})

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const started: ReadonlySet<string> = new Set<RunEventType>([
  "agent_started",
  "script_started",
  "set_started",
  "wait_started"
])
const finished: ReadonlySet<string> = new Set<RunEventType>([
  "agent_completed",
  "script_completed",
  "set_completed",
  "wait_completed"
])

/** A sub-workflow writes its whole life into the log of its root; its end is not the end of the run. */
const NestedData = Schema.Struct({ subworkflow_path: Schema.NonEmptyArray(Schema.Unknown) })
const isNested = (event: RunEvent): boolean => Option.isSome(Schema.decodeUnknownOption(NestedData)(event.data))

const add = (usage: Usage, data: { input_tokens: number; output_tokens: number; cost_usd: number | null }): Usage => ({
  input_tokens: usage.input_tokens + data.input_tokens,
  output_tokens: usage.output_tokens + data.output_tokens,
  cost_usd: data.cost_usd === null ? usage.cost_usd : (usage.cost_usd ?? 0) + data.cost_usd
})

export const withWarning = (fold: RunFold, warning: string): RunFold =>
  fold.warnings.includes(warning) || fold.warnings.length >= keptWarnings
    ? fold
    : { ...fold, warnings: [...fold.warnings, warning] }

const advanceStep = (fold: RunFold, event: RunEvent): RunFold => {
  const { agent_name: step } = event.data as { readonly agent_name?: Value }
  const named = typeof step === "string" ? { ...fold, step } : fold
  if (event.type === "agent_completed") {
    return { ...named, stepsCompleted: fold.stepsCompleted + 1, usage: add(fold.usage, event.data) }
  }
  if (finished.has(event.type)) return { ...named, stepsCompleted: fold.stepsCompleted + 1 }
  return started.has(event.type) ? named : fold
}

const advanceRoot = (fold: RunFold, event: RunEvent): RunFold => {
  const at = isoTime(event.timestamp)
  switch (event.type) {
    case "workflow_started": {
      // A second start is a resumed run: what ended it before no longer counts.
      const { endedAt: _endedAt, output: _output, error: _error, ...rest } = fold
      const { agents, for_each_groups, name, run_id } = event.data
      const pin = Option.match(toldPins(event), {
        onNone: () => fold.spec.workflow.pin,
        onSome: ({ workflow }) => workflow
      })
      // A fork begins with a copy of another run's log, and has not started by that.
      const own = run_id === fold.spec.run_id
      const startedAt = fold.startedAt ?? (own ? at : undefined)
      return {
        ...rest,
        spec: { ...fold.spec, workflow: { ...fold.spec.workflow, pin } },
        status: "running",
        name,
        ...(startedAt === undefined ? {} : { startedAt }),
        stepsTotal: agents.length + for_each_groups.length
      }
    }
    case "workflow_completed":
      return { ...fold, status: "completed", endedAt: at, output: event.data.output }
    case "workflow_failed": {
      const { agent_name: step, error_type: type, message, output } = event.data
      const error = { type, message, step }
      return { ...fold, status: "failed", endedAt: at, error, ...(output === undefined ? {} : { output }) }
    }
    case "workflow_cancelled": {
      const { agent_name: step, reason } = event.data
      return { ...fold, status: "cancelled", endedAt: at, error: { type: "Cancelled", message: reason, step } }
    }
    case "run_warning":
      return withWarning(fold, event.data.warning)
    default:
      return advanceStep(fold, event)
  }
}

export const advance = (fold: RunFold, event: RunEvent): RunFold => ({
  ...(isNested(event) ? fold : advanceRoot(fold, event)),
  lastEvent: { seq: event.seq, type: event.type, at: isoTime(event.timestamp) }
})

/** What is known of the process of a run whose log has no end yet. */
export type Custody =
  | { readonly _tag: "Held"; readonly pid?: number; readonly warning?: string }
  | { readonly _tag: "Lost"; readonly reason: string }

const lostError = (fold: RunFold, reason: string): RunError => {
  const last = fold.lastEvent
  const trace =
    last === undefined ? "It wrote no event" : `Its last event is ${last.type} (number ${last.seq}, ${last.at})`
  return {
    type: "Lost",
    message: `${reason} ${trace}. Look at its stderr log for the cause, then go on with 'conductor resume ${fold.spec.run_id}': steps that finished are not repeated, the one that was cut off runs again.`,
    step: fold.step
  }
}

export const toView = (fold: RunFold, custody: Custody, files: RunView["files"]): RunView => {
  const { spec } = fold
  const lost = fold.status === "running" && custody._tag === "Lost" ? custody : undefined
  const held = fold.status === "running" && custody._tag === "Held" ? custody : undefined
  const error = lost === undefined ? fold.error : lostError(fold, lost.reason)
  const endedAt = lost === undefined ? fold.endedAt : (fold.lastEvent?.at ?? spec.created_at)
  return {
    runId: spec.run_id,
    status: lost === undefined ? fold.status : "lost",
    workflow: fold.name === undefined ? spec.workflow : { ...spec.workflow, name: fold.name },
    provenance: spec.provenance,
    startedAt: fold.startedAt ?? spec.created_at,
    ...(endedAt === undefined ? {} : { endedAt }),
    progress: {
      step: fold.step,
      stepsCompleted: fold.stepsCompleted,
      stepsTotal: fold.stepsTotal,
      usage: fold.usage
    },
    ...(fold.output === undefined ? {} : { output: fold.output }),
    ...(error === undefined ? {} : { error }),
    ...(fold.lastEvent === undefined ? {} : { lastEvent: fold.lastEvent }),
    ...(held?.pid === undefined ? {} : { pid: held.pid }),
    warnings: held?.warning === undefined ? fold.warnings : [...fold.warnings, held.warning],
    files
  }
}
