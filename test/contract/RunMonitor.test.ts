/** What can be seen of a run, wherever it lives. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunCancellation } from "../../src/runs/RunCancellation.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import { launch } from "../support/runs/Launches.ts"
import { runWorlds } from "../support/runs/RunWorlds.ts"
import { greeting, long } from "../support/runs/Workflows.ts"

describe.each(runWorlds)("a run $name", ({ layer }) => {
  it.live("that nobody knows is not found, whatever the name", () =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      for (const runId of ["nobody", "", "../..", "a/b", "x".repeat(65)]) {
        expect(yield* Effect.flip(monitor.status(runId))).toMatchObject({ _tag: "RunNotFound", runId })
        expect(yield* Effect.flip(Stream.runDrain(monitor.watch(runId)))).toMatchObject({ _tag: "RunNotFound" })
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("can be watched to its end, and every view is another one", () =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      const { runId } = yield* launch(greeting, { who: "Ada" })
      const views = Chunk.toReadonlyArray(yield* Stream.runCollect(monitor.watch(runId)))
      expect(views.at(-1)).toMatchObject({ status: "completed", output: { text: "Hello Ada" } })
      const numbers = views.map((view) => view.lastEvent?.seq ?? 0)
      expect(new Set(numbers).size).toBe(numbers.length)
    }).pipe(Effect.provide(layer))
  )

  it.live("gives all its events in order, or those from a number on", () =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      const { runId } = yield* launch(greeting, { who: "Ada" })
      const all = Chunk.toReadonlyArray(yield* Stream.runCollect(monitor.events(runId, 1)))
      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
      expect(all[0]?.type).toBe("workflow_started")
      expect(all.at(-1)?.type).toBe("workflow_completed")
      const later = Chunk.toReadonlyArray(yield* Stream.runCollect(monitor.events(runId, 3)))
      expect(later).toEqual(all.slice(2))
    }).pipe(Effect.provide(layer))
  )

  it.live("is listed with its status while it goes on and when it is over", () =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      const cancellation = yield* RunCancellation
      const { runId } = yield* launch(long)
      const running = yield* monitor.list({ limit: 10, offset: 0, status: "running" })
      expect(running).toMatchObject({ total: 1, runs: [{ runId, workflow: { name: "scripted" } }], warnings: [] })
      yield* cancellation.cancel(runId, "test")
      expect((yield* monitor.list({ limit: 10, offset: 0, status: "running" })).total).toBe(0)
      expect((yield* monitor.list({ limit: 10, offset: 0, workflow: "example_tool" })).runs).toMatchObject([
        { runId, status: "cancelled" }
      ])
    }).pipe(Effect.provide(layer))
  )

  it.live("is waited for only as long as one wants to wait, and goes on", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(long)
      expect(yield* awaitRun(runId, "300 millis")).toMatchObject({ status: "running" })
      expect(yield* Effect.flatMap(RunMonitor, (monitor) => monitor.status(runId))).toMatchObject({ status: "running" })
      yield* Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "test"))
    }).pipe(Effect.provide(layer))
  )
})
