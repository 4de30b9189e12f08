/**
 * The one place where something that happened becomes durable and becomes state, in this order and never one without
 * the other. Members of groups and sub-workflows write to journals of their own that all end in this one.
 */
import { Clock, Effect, Ref } from "effect"
import type { EventData, Origin, RunEventType } from "../domain/RunEvent.ts"
import type { EventSinkError, EventSink } from "./EventSink.ts"
import { evolve } from "./Evolve.ts"
import { initialState, type State } from "./State.ts"

interface RootJournal {
  readonly state: Effect.Effect<State>
  readonly append: <T extends RunEventType>(type: T, data: EventData<T>) => Effect.Effect<void, EventSinkError>
}

export interface Journal extends RootJournal {
  /** That of the whole run, for what holds wherever in it a step runs. */
  readonly root: RootJournal
  /** Seconds since the workflow began. */
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
  const append = <T extends RunEventType>(type: T, data: EventData<T>) =>
    sink.append(type, data).pipe(
      Effect.flatMap((event) => Ref.update(ref, (state) => evolve(state, event))),
      writer.withPermits(1),
      Effect.uninterruptible
    )
  const root: RootJournal = { state: Ref.get(ref), append }
  return {
    ...root,
    root,
    elapsed: Effect.map(seconds, (now) => now - began)
  } satisfies Journal
})

/** Marks events as those of a group's member. `agent_name` stands in for the step's own, which is the same for all items. */
export type MemberMark = Omit<Origin, "subworkflow_path"> & { readonly agent_name?: string }

export const memberJournal = (journal: Journal, mark: MemberMark): Journal => ({
  ...journal,
  append: (type, data) => journal.append(type, { ...data, ...mark })
})

/** The journal of the sub-workflow in a slot: its state is that part of the parent's. It begins now. */
export const nestedJournal = (parent: Journal, slot: string): Effect.Effect<Journal> =>
  Effect.map(seconds, (began) => ({
    root: parent.root,
    state: Effect.map(parent.state, ({ children }) => children.get(slot) ?? initialState(0)),
    append: (type, data) =>
      parent.append(type, { ...data, subworkflow_path: [slot, ...(data.subworkflow_path ?? [])] }),
    elapsed: Effect.map(seconds, (now) => now - began)
  }))
