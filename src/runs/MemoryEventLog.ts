/** The event logs in memory, for tests and for runs that nobody needs to find again. A position is a count of events. */
import { Clock, Effect, HashMap, Layer, Option, Stream, SubscriptionRef } from "effect"
import type { EventData, RunEvent, RunEventType } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import { EventLog } from "./EventLog.ts"

type Logs = HashMap.HashMap<RunId, ReadonlyArray<RunEvent>>

const eventsOf = (logs: Logs, runId: RunId): ReadonlyArray<RunEvent> =>
  Option.getOrElse(HashMap.get(logs, runId), () => [])

const append = <T extends RunEventType>(
  logs: Logs,
  runId: RunId,
  event: { readonly type: T; readonly data: EventData<T>; readonly now: number }
): readonly [RunEvent, Logs] => {
  const events = eventsOf(logs, runId)
  const timestamp = Math.max(events.at(-1)?.timestamp ?? 0, event.now / 1000)
  const next = { seq: events.length + 1, type: event.type, timestamp, data: event.data } as RunEvent
  return [next, HashMap.set(logs, runId, [...events, next])]
}

const make = Effect.gen(function* () {
  const logs = yield* SubscriptionRef.make<Logs>(HashMap.empty())
  const exclusive = (yield* Effect.makeSemaphore(1)).withPermits(1)
  return EventLog.of({
    exclusively: () => exclusive,
    seed: (runId, events) => SubscriptionRef.update(logs, (all) => HashMap.set(all, runId, events)),
    write: (runId) =>
      Effect.succeed({
        append: (type, data) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            SubscriptionRef.modify(logs, (all) => append(all, runId, { type, data, now }))
          ),
        settled: Effect.void
      }),
    read: (runId, from) =>
      Effect.map(SubscriptionRef.get(logs), (all) => {
        const events = eventsOf(all, runId)
        return { events: events.slice(from), end: events.length, exhausted: true, faults: [] }
      }),
    changes: (runId) =>
      logs.changes.pipe(
        Stream.map((all) => eventsOf(all, runId).length),
        Stream.changes,
        Stream.map(() => undefined)
      )
  })
})

export const layer: Layer.Layer<EventLog> = Layer.effect(EventLog, make)
