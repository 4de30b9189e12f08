/** What every event log promises. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { RunId } from "../../src/domain/RunId.ts"
import { Float } from "../../src/domain/Value.ts"
import { EventLog } from "../../src/runs/EventLog.ts"
import * as FileEventLog from "../../src/runs/FileEventLog.ts"
import * as FileRunStore from "../../src/runs/FileRunStore.ts"
import * as MemoryEventLog from "../../src/runs/MemoryEventLog.ts"
import * as MemoryRunStore from "../../src/runs/MemoryRunStore.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { streamSlices } from "../../src/runs/Slices.ts"
import { draft, startedData } from "../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const logs = [
  { name: "in memory", layer: Layer.merge(MemoryEventLog.layer, MemoryRunStore.layer) },
  {
    name: "in files",
    layer: Layer.merge(FileEventLog.layer, FileRunStore.layer).pipe(
      Layer.provide(homeInWorkspace),
      Layer.provide(Workspace.layer)
    )
  }
]

const newRun = Effect.flatMap(RunStore, (store) =>
  Effect.map(store.create(draft, Buffer.from("text")), (spec) => spec.run_id)
)

const allEvents = (runId: RunId, from = 0) =>
  Effect.flatMap(EventLog, (log) =>
    streamSlices((position) => log.read(runId, position), from).pipe(
      Stream.mapConcat(({ events }) => events),
      Stream.runCollect,
      Effect.map(Chunk.toReadonlyArray)
    )
  )

const warn = (log: EventLog["Type"], runId: RunId, ...warnings: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const writer = yield* log.write(runId)
    yield* Effect.forEach(warnings, (warning) => writer.append("run_warning", { warning }))
    yield* writer.settled
  }).pipe(Effect.scoped)

describe.each(logs)("an event log $name", ({ layer }) => {
  it.effect("that begins with a copy of another one has its events as they were, and goes on behind them", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const [original, copy] = [yield* newRun, yield* newRun]
      yield* TestClock.adjust("1 minute")
      yield* warn(log, original, "one", "two", "three")
      const events = yield* allEvents(original)
      yield* log.seed(copy, events.slice(0, 2))
      expect(yield* allEvents(copy)).toEqual(events.slice(0, 2))
      yield* TestClock.adjust("1 minute")
      yield* warn(log, copy, "other")
      expect(yield* allEvents(copy)).toMatchObject([...events.slice(0, 2), { seq: 3, data: { warning: "other" } }])
      expect(yield* allEvents(original)).toEqual(events)
    }).pipe(Effect.provide(layer))
  )

  it.effect("gives back what was appended, numbered from 1 without gaps", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      yield* warn(log, runId, "a", "b")
      yield* warn(log, runId, "c")
      const events = yield* allEvents(runId)
      expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect(events.map(({ data }) => data)).toEqual([{ warning: "a" }, { warning: "b" }, { warning: "c" }])
    }).pipe(Effect.provide(layer))
  )

  it.effect("reads on from where a reader stopped", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      yield* warn(log, runId, "a")
      const { end } = yield* log.read(runId, 0)
      expect((yield* log.read(runId, end)).events).toEqual([])
      yield* warn(log, runId, "b")
      expect((yield* log.read(runId, end)).events).toMatchObject([{ seq: 2 }])
    }).pipe(Effect.provide(layer))
  )

  it.effect("keeps the kinds of numbers", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      const output = { float: new Float(3), integer: 3, big: 12345678901234567890n }
      yield* Effect.scoped(
        Effect.flatMap(log.write(runId), (writer) => writer.append("workflow_completed", { elapsed: 1, output }))
      )
      expect(yield* allEvents(runId)).toMatchObject([{ data: { output } }])
    }).pipe(Effect.provide(layer))
  )

  it.effect("never lets time go backwards, whatever the clock does", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      yield* TestClock.setTime(1_000_000)
      yield* warn(log, runId, "late")
      yield* TestClock.setTime(1_000)
      yield* warn(log, runId, "early")
      yield* TestClock.setTime(2_000_000)
      yield* warn(log, runId, "later")
      expect((yield* allEvents(runId)).map(({ timestamp }) => timestamp)).toEqual([1_000, 1_000, 2_000])
    }).pipe(Effect.provide(layer))
  )

  it.effect("has nothing to tell of a run without events", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      expect(yield* log.read(RunId.make("nobody"), 0)).toMatchObject({ events: [], exhausted: true })
    }).pipe(Effect.provide(layer))
  )

  it.live("gives the numbers of events that are appended at the same time to each event once", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      yield* Effect.flatMap(log.write(runId), (writer) =>
        Effect.forEach(Array.from({ length: 50 }, String), (warning) => writer.append("run_warning", { warning }), {
          concurrency: "unbounded"
        })
      ).pipe(Effect.scoped)
      expect((yield* allEvents(runId)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 1)
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("tells a reader that waits of each new event", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      const seen = yield* log.changes(runId).pipe(
        Stream.mapEffect(() => log.read(runId, 0)),
        Stream.takeUntil(({ events }) => events.length >= 2),
        Stream.runDrain,
        Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => "no tick came" }),
        Effect.fork
      )
      yield* warn(log, runId, "a")
      yield* warn(log, runId, "b")
      yield* Fiber.join(seen)
    }).pipe(Effect.provide(layer))
  )

  it.live("holds events of several megabytes", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const runId = yield* newRun
      const large = "ä".repeat(3_000_000)
      yield* Effect.scoped(
        Effect.flatMap(log.write(runId), (writer) =>
          Effect.zipRight(
            writer.append("workflow_started", { ...startedData, inputs: { large } }),
            writer.append("run_warning", { warning: "after" })
          )
        )
      )
      const events = yield* allEvents(runId)
      expect(events.map(({ seq }) => seq)).toEqual([1, 2])
      expect(events[0]?.data).toMatchObject({ inputs: { large } })
    }).pipe(Effect.provide(layer))
  )
})
