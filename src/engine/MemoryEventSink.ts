/** An event log that lives in memory, for tests and for the testing library. Nothing survives the process. */
import { Clock, Context, Effect, Layer, Ref } from "effect"
import type { EventData, RunEvent, RunEventType } from "../domain/RunEvent.ts"
import { EventSink } from "./EventSink.ts"

export class MemoryEventSink extends Context.Tag("conductor/MemoryEventSink")<
  MemoryEventSink,
  {
    /** Everything appended so far, oldest first. */
    readonly events: Effect.Effect<ReadonlyArray<RunEvent>>
  }
>() {}

const make = Effect.gen(function* () {
  const log = yield* Ref.make<{ readonly events: Array<RunEvent> }>({ events: [] })
  const append = <T extends RunEventType>(type: T, data: EventData<T>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { events } = yield* Ref.get(log)
      const event = { seq: events.length + 1, type, timestamp: now / 1000, data } as unknown as RunEvent
      events.push(event)
      return event
    })
  return Context.make(EventSink, { append }).pipe(
    Context.add(MemoryEventSink, { events: Effect.map(Ref.get(log), ({ events }) => [...events]) })
  )
})

export const layerMemory: Layer.Layer<EventSink | MemoryEventSink> = Layer.effectContext(make)
