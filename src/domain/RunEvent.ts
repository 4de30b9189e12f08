/**
 * The vocabulary of the event log. A run is its events: whatever a reader wants to know (status, progress, output,
 * cost) is a fold over them. Names and data are the reference's (run files and events §2), with two additions: `seq`
 * counts the events of a run from 1 without gaps, and every event that finishes a node carries its `output`.
 */
import { Schema } from "effect"
import type { AgentEvents } from "./events/AgentEvents.ts"
import type { GroupEvents } from "./events/GroupEvents.ts"
import type { PromptEvents } from "./events/PromptEvents.ts"
import type { StepEvents } from "./events/StepEvents.ts"
import type { WorkflowEvents } from "./events/WorkflowEvents.ts"
import type { ValueMap } from "./Value.ts"

/**
 * Where an event comes from when it is not from a step of the root's own loop. Every event can have these fields, and
 * only the journal that a member or a sub-workflow writes to adds them.
 */
export interface Origin {
  /** The slots of the sub-workflows on the way down from the root. */
  readonly subworkflow_path?: ReadonlyArray<string>
  /** The group that the step is a member or an item of. */
  readonly group_name?: string
  readonly item_key?: string
  readonly index?: number
}

/** Data by event type, without its `Origin`; readers tolerate types they do not know. */
export interface RunEventData extends WorkflowEvents, AgentEvents, StepEvents, GroupEvents, PromptEvents {}

export type RunEventType = keyof RunEventData

export type EventData<T extends RunEventType> = RunEventData[T] & Origin

/** One line of `events.jsonl`. `timestamp` is unix time in seconds, with a fraction. */
export type RunEvent = {
  readonly [T in RunEventType]: {
    readonly seq: number
    readonly type: T
    readonly timestamp: number
    readonly data: EventData<T>
  }
}[RunEventType]

/** The data as a plain map, for readers that show events and need not understand them. */
export const eventData = (event: RunEvent): ValueMap => ({ ...event.data })

/** An event of a sub-workflow, at whatever depth. It writes its whole life into the log of its root. */
export const isNested = ({ data }: RunEvent): boolean => (data.subworkflow_path ?? []).length > 0

const terminalTypes: ReadonlySet<string> = new Set<RunEventType>([
  "workflow_completed",
  "workflow_failed",
  "workflow_cancelled"
])

/**
 * The last event of a run: after it nothing is appended, unless the run is resumed with a second `workflow_started`. The
 * end of a sub-workflow is none.
 */
export const isTerminalEvent = (event: RunEvent): boolean => terminalTypes.has(event.type) && !isNested(event)

/** What a line of the log must at least be. `data` is trusted further in: the only writer is this program. */
export const RunEventEnvelope = Schema.Struct({
  seq: Schema.Int.pipe(Schema.positive()),
  type: Schema.String,
  timestamp: Schema.Number,
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})
