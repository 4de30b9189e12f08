/** Whatever happens inside of a run, its log ends with an event that says so, or there was no run. */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref } from "effect"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { RunId } from "../../../src/domain/RunId.ts"
import { Engine, UnsupportedWorkflow, type RunRequest } from "../../../src/engine/Engine.ts"
import { EventSink, EventSinkError } from "../../../src/engine/EventSink.ts"
import type { Plan } from "../../../src/language/Plan.ts"
import { EventLog } from "../../../src/runs/EventLog.ts"
import * as MemoryEventLog from "../../../src/runs/MemoryEventLog.ts"
import { runSession, type StopRequest } from "../../../src/runs/RunSession.ts"
import { startedData } from "../../support/runs/Specs.ts"

const runId = RunId.make("session")

type Work = (sink: EventSink["Type"]) => ReturnType<Engine["Type"]["run"]>

/** An engine that does what the test says, and says that it was cancelled when it is interrupted, as a real one does. */
const engineThat = (work: Work): Layer.Layer<Engine, never, EventSink> =>
  Layer.effect(
    Engine,
    Effect.map(EventSink, (sink) => ({
      run: () =>
        work(sink).pipe(
          Effect.onInterrupt(() =>
            Effect.orDie(sink.append("workflow_cancelled", { elapsed: 1, reason: "cancelled", agent_name: "one" }))
          )
        )
    }))
  )

const start = (sink: EventSink["Type"]) => sink.append("workflow_started", startedData)

const session = (work: Work, stopRequested: Effect.Effect<StopRequest> = Effect.never, settled = Effect.void) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const announced = yield* Ref.make(0)
    const writer = yield* log.write(runId)
    const end = yield* runSession({
      // No engine of these tests looks at its plan.
      request: { runId, plan: {} as Plan, inputs: {}, metadata: {} } satisfies RunRequest,
      writer: { ...writer, settled },
      engine: engineThat(work),
      onStarted: Ref.update(announced, (count) => count + 1),
      stopRequested
    }).pipe(Effect.either)
    const { events } = yield* log.read(runId, 0)
    return { end, events, announced: yield* Ref.get(announced) }
  }).pipe(Effect.scoped, Effect.provide(MemoryEventLog.layer))

const last = (events: ReadonlyArray<RunEvent>) => events.at(-1)

const finish: Work = (sink) =>
  Effect.gen(function* () {
    yield* start(sink)
    yield* sink.append("workflow_completed", { elapsed: 1, output: {} })
    return { _tag: "Completed", output: {} }
  })

const forever: Work = (sink) => Effect.zipRight(start(sink), Effect.never)

describe("a session", () => {
  it.effect("announces its start once and ends with what the engine says", () =>
    Effect.gen(function* () {
      const { announced, end } = yield* session(finish)
      expect(end).toMatchObject({ _tag: "Right", right: { _tag: "Completed" } })
      expect(announced).toBe(1)
    })
  )

  it.effect("that is cancelled says in its log who asked", () =>
    Effect.gen(function* () {
      const asked = Effect.as(Effect.yieldNow(), { _tag: "Cancel", message: "Cancelled by Ada." } as const)
      const { end, events } = yield* session(forever, asked)
      expect(end).toMatchObject({ right: { _tag: "Stopped" } })
      expect(last(events)).toMatchObject({ type: "workflow_cancelled", data: { reason: "Cancelled by Ada." } })
    })
  )

  it.effect("whose process breaks has failed, and was not cancelled", () =>
    Effect.gen(function* () {
      const crash = Effect.as(Effect.yieldNow(), { _tag: "Crash", message: "TypeError: x is undefined" } as const)
      const { events } = yield* session(forever, crash)
      expect(last(events)).toMatchObject({
        type: "workflow_failed",
        data: { error_type: "InternalError", message: expect.stringContaining("x is undefined") }
      })
    })
  )

  it.effect("whose engine breaks has failed", () =>
    Effect.gen(function* () {
      const { end, events } = yield* session((sink) => Effect.zipRight(start(sink), Effect.dieMessage("a bug")))
      expect(end).toMatchObject({ right: { _tag: "Stopped" } })
      expect(last(events)).toMatchObject({ type: "workflow_failed", data: { error_type: "InternalError" } })
    })
  )

  it.effect("that can keep no more events has failed", () =>
    Effect.gen(function* () {
      const { events } = yield* session((sink) =>
        Effect.zipRight(start(sink), new EventSinkError({ message: "memory is used up" }))
      )
      expect(last(events)).toMatchObject({ data: { message: expect.stringContaining("memory is used up") } })
    })
  )

  it.effect("of a workflow that cannot be run never was", () =>
    Effect.gen(function* () {
      const refusal = new UnsupportedWorkflow({ workflow: "w", steps: [{ step: "gate", reason: "needs a person" }] })
      const { announced, end, events } = yield* session(() => refusal)
      expect(end).toMatchObject({
        left: { reason: "unsupported", message: expect.stringContaining("gate: needs a person") }
      })
      expect([announced, events]).toEqual([0, []])
    })
  )

  it.live("whose first event never gets to the disk never was", () =>
    Effect.gen(function* () {
      const { announced, end } = yield* session(finish, Effect.never, Effect.never)
      expect(end).toMatchObject({ left: { reason: "storage" } })
      expect(announced).toBe(0)
    })
  )

  it.effect("that is interrupted is cancelled before the interruption is over", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const log = yield* EventLog
      const writer = yield* log.write(runId)
      const fiber = yield* Effect.fork(
        runSession({
          request: { runId, plan: {} as Plan, inputs: {}, metadata: {} },
          writer,
          engine: engineThat(forever),
          onStarted: Effect.asVoid(Deferred.succeed(started, undefined)),
          stopRequested: Effect.never
        })
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(last((yield* log.read(runId, 0)).events)).toMatchObject({ type: "workflow_cancelled" })
    }).pipe(Effect.scoped, Effect.provide(MemoryEventLog.layer))
  )
})
