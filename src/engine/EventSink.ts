/** Where the engine writes what happened. One run has one sink, and the sink has one writer: the engine. */
import { Context, Schema, type Effect } from "effect"
import type { EventData, RunEvent, RunEventType } from "../domain/RunEvent.ts"

/** The event could not be made durable and cannot be kept for later either. The run must stop. */
export class EventSinkError extends Schema.TaggedError<EventSinkError>()("EventSinkError", {
  message: Schema.String
}) {}

export class EventSink extends Context.Tag("conductor/EventSink")<
  EventSink,
  {
    /** Gives the event its `seq` and time. It is on disk (or queued behind a full disk) when the effect ends. */
    readonly append: <T extends RunEventType>(type: T, data: EventData<T>) => Effect.Effect<RunEvent, EventSinkError>
  }
>() {}
