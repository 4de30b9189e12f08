/** How runs are ended, wherever they live. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunCancellation } from "../../src/runs/RunCancellation.ts"
import { launch } from "../support/runs/Launches.ts"
import { runWorlds } from "../support/runs/RunWorlds.ts"
import { greeting, long } from "../support/runs/Workflows.ts"

const cancel = (runId: string) =>
  Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "a test"))

describe.each(runWorlds)("cancelling a run $name", ({ layer }) => {
  it.live("ends it by asking, and the log says who asked", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(long)
      expect(yield* cancel(runId)).toMatchObject({
        _tag: "Cancelled",
        rung: "inbox",
        view: { status: "cancelled", error: { type: "Cancelled", message: "Cancelled by a test." } }
      })
    }).pipe(Effect.provide(layer))
  )

  it.live("that is over changes nothing and says so", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(greeting, { who: "Ada" })
      yield* awaitRun(runId, "20 seconds")
      expect(yield* cancel(runId)).toMatchObject({ _tag: "AlreadyFinished", view: { status: "completed" } })
    }).pipe(Effect.provide(layer))
  )

  it.live("twice at once ends it once", () =>
    Effect.gen(function* () {
      const { runId } = yield* launch(long)
      const outcomes = yield* Effect.all([cancel(runId), cancel(runId)], { concurrency: "unbounded" })
      expect(outcomes).toMatchObject([{ view: { status: "cancelled" } }, { view: { status: "cancelled" } }])
    }).pipe(Effect.provide(layer))
  )

  it.live("that nobody knows is not the same as one that is over", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(cancel("nobody"))).toMatchObject({ _tag: "RunNotFound" })
    }).pipe(Effect.provide(layer))
  )
})
