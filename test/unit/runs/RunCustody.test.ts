/** When a run is lost, and when it is not. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { identify, ProcessIdentity } from "../../../src/platform/ProcessIdentity.ts"
import * as MemoryRunStore from "../../../src/runs/MemoryRunStore.ts"
import * as RunCustody from "../../../src/runs/RunCustody.ts"
import { RunStore } from "../../../src/runs/RunStore.ts"
import { draft } from "../../support/runs/Specs.ts"

const layer = RunCustody.layer.pipe(Layer.provideMerge(MemoryRunStore.layer))

const judged = (process?: ProcessIdentity) =>
  Effect.gen(function* () {
    const store = yield* RunStore
    const custody = yield* RunCustody.RunCustody
    const spec = yield* store.create(draft, Buffer.from(""))
    if (process !== undefined) yield* store.recordProcess(spec.run_id, { process, launched_at: spec.created_at })
    return { spec, custody, verdict: yield* custody.judge(spec) }
  })

const self = Effect.filterOrDieMessage(identify(process.pid), (found) => found !== undefined, "no process")

describe("a run without an end", () => {
  it.effect("is held as long as its process lives", () =>
    Effect.gen(function* () {
      const { verdict } = yield* judged(yield* self)
      expect(verdict).toEqual({ _tag: "Held", pid: process.pid })
    }).pipe(Effect.provide(layer))
  )

  it.effect("is lost when another process has the number of its own", () =>
    Effect.gen(function* () {
      const { verdict } = yield* judged(ProcessIdentity.make({ ...(yield* self), startTime: "1" }))
      expect(verdict).toMatchObject({ _tag: "Lost", reason: expect.stringContaining(`pid ${process.pid}`) })
    }).pipe(Effect.provide(layer))
  )

  it.effect("is held with a warning when the system cannot tell whose number it is", () =>
    Effect.gen(function* () {
      const { verdict } = yield* judged(ProcessIdentity.make({ pid: process.pid, confidence: "pid" }))
      expect(verdict).toMatchObject({ _tag: "Held", warning: expect.stringContaining("another process") })
    }).pipe(Effect.provide(layer))
  )

  it.effect("has half a minute to say which process it is, and is lost after that", () =>
    Effect.gen(function* () {
      const { custody, spec, verdict } = yield* judged()
      expect(verdict).toEqual({ _tag: "Held" })
      yield* TestClock.adjust("31 seconds")
      expect(yield* custody.judge(spec)).toMatchObject({
        _tag: "Lost",
        reason: expect.stringContaining("never started")
      })
    }).pipe(Effect.provide(layer))
  )
})
