import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import { identify, ProcessIdentity } from "../../../src/platform/ProcessIdentity.ts"
import * as FileRunStore from "../../../src/runs/FileRunStore.ts"
import { claimRun } from "../../../src/runs/RunClaim.ts"
import { RunStore } from "../../../src/runs/RunStore.ts"
import { draft } from "../../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../../support/runs/Workspace.ts"

const layer = FileRunStore.layer.pipe(Layer.provide(homeInWorkspace), Layer.provide(Workspace.layer))

const launched_at = "2026-01-01T00:00:00.000Z"
const dead = ProcessIdentity.make({ pid: 2 ** 22 + 1, startTime: "1", bootId: "earlier", confidence: "proven" })

const self = Effect.flatMap(identify(process.pid), (identity) =>
  identity === undefined ? Effect.dieMessage("this process cannot find itself") : Effect.succeed(identity)
)

const newRun = Effect.flatMap(RunStore, (store) =>
  Effect.map(store.create(draft, Buffer.from("text")), (spec) => spec.run_id)
)

describe("a run", () => {
  it.live("is taken by one of many processes that claim it at once, and says which one it is", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const runId = yield* newRun
      yield* store.recordProcess(runId, { process: dead, launched_at })
      const claim = Effect.flatMap(self, (process) => Effect.either(claimRun(runId, { process, launched_at })))
      const outcomes = yield* Effect.all([claim, claim, claim, claim], { concurrency: "unbounded" })
      expect(outcomes.filter(Either.isRight)).toHaveLength(1)
      const [refusal] = outcomes.flatMap((outcome) => (Either.isLeft(outcome) ? [outcome.left] : []))
      expect(refusal).toMatchObject({ reason: "process", runId, message: expect.stringContaining(`${process.pid}`) })
      expect(Option.getOrThrow(yield* store.process(runId)).process.pid).toBe(process.pid)
    }).pipe(Effect.provide(layer))
  )

  it.live("whose last process may still be alive cannot be taken", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const runId = yield* newRun
      const unproven = ProcessIdentity.make({ pid: process.ppid, confidence: "pid" })
      yield* store.recordProcess(runId, { process: unproven, launched_at })
      const refusal = yield* Effect.flip(claimRun(runId, { process: yield* self, launched_at }))
      expect(refusal.message).toContain(`held by process ${process.ppid}`)
      expect(Option.getOrThrow(yield* store.process(runId)).process).toEqual(unproven)
    }).pipe(Effect.provide(layer))
  )
})
