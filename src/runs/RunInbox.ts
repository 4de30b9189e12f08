/**
 * The port through which anyone speaks to a run, `control.jsonl`: a durable list that only grows. The run reads it from
 * the beginning, so a message that was sent before the run listened is not lost.
 */
import { Context, Schema, type Effect, type Stream } from "effect"
import type { RunId } from "../domain/RunId.ts"
import type { RunStoreError } from "./RunErrors.ts"

export const ControlMessage = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("cancel"),
    /** Who asked, in words. */
    requested_by: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("gate_answer"),
    agent_name: Schema.String,
    /** The one prompt that it answers; the run ignores it for every other. */
    prompt_id: Schema.String,
    selected: Schema.String,
    additional_input: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
  }),
  Schema.Struct({ type: Schema.Literal("guidance"), text: Schema.String })
)
export type ControlMessage = typeof ControlMessage.Type

/** A place in one inbox. Only the inbox that gave it out knows what it means; 0 is the beginning. */
export type InboxPosition = number

export interface InboxPast {
  readonly messages: ReadonlyArray<ControlMessage>
  /** Behind the last of them. */
  readonly end: InboxPosition
}

export class RunInbox extends Context.Tag("conductor/RunInbox")<
  RunInbox,
  {
    readonly post: (runId: RunId, message: ControlMessage) => Effect.Effect<void, RunStoreError>
    /** What is behind `from`, then new messages as they come. Never ends. What is not understood is left out. */
    readonly messages: (runId: RunId, from: InboxPosition) => Stream.Stream<ControlMessage, RunStoreError>
    /** The messages behind `from` that are there now, oldest first. */
    readonly past: (runId: RunId, from: InboxPosition) => Effect.Effect<InboxPast, RunStoreError>
  }
>() {}
