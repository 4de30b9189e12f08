/**
 * The one place where something that happened becomes durable and becomes state, in this order and never one without
 * the other.
 */
import { Clock, Effect, Ref } from "effect"
import type { RunEventData, RunEventType } from "../domain/RunEvent.ts"
import type { EventSinkError, EventSink } from "./EventSink.ts"
import { evolve, type State } from "./State.ts"

export interface Journal {
  readonly state: Effect.Effect<State>
  readonly append: <T extends RunEventType>(type: T, data: RunEventData[T]) => Effect.Effect<void, EventSinkError>
  /** Seconds since the run began. */
  readonly elapsed: Effect.Effect<number>
}

/** Seconds on a clock that never goes backwards. */
export const seconds: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanoseconds) => Number(nanoseconds) / 1e9
)

export const makeJournal = Effect.fn("Journal.make")(function* (sink: EventSink["Type"], initial: State) {
  const ref = yield* Ref.make(initial)
  const writer = yield* Effect.makeSemaphore(1)
  const began = yield* seconds
  const append = <T extends RunEventType>(type: T, data: RunEventData[T]) =>
    sink.append(type, data).pipe(
      Effect.flatMap((event) => Ref.update(ref, (state) => evolve(state, event))),
      writer.withPermits(1),
      Effect.uninterruptible
    )
  return {
    state: Ref.get(ref),
    append,
    elapsed: Effect.map(seconds, (now) => now - began)
  } satisfies Journal
})
