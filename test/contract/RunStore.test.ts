/** What every run store promises. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { RunId } from "../../src/domain/RunId.ts"
import { ProcessIdentity } from "../../src/platform/ProcessIdentity.ts"
import * as FileRunStore from "../../src/runs/FileRunStore.ts"
import * as MemoryRunStore from "../../src/runs/MemoryRunStore.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { draft } from "../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const stores = [
  { name: "in memory", layer: MemoryRunStore.layer },
  {
    name: "in folders",
    layer: FileRunStore.layer.pipe(Layer.provide(homeInWorkspace), Layer.provide(Workspace.layer))
  }
]

const workflow = Buffer.from("text")
const record = {
  process: ProcessIdentity.make({ pid: 4242, startTime: "77", bootId: "boot", confidence: "proven" }),
  launched_at: "2026-01-01T00:00:00.000Z"
}

describe.each(stores)("a run store $name", ({ layer }) => {
  it.live("gives back the spec that it made of a draft", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const spec = yield* store.create(draft, workflow)
      expect(spec).toMatchObject({ ...draft, version: 1 })
      expect(yield* store.spec(spec.run_id)).toEqual(spec)
    }).pipe(Effect.provide(layer))
  )

  it.live("gives back the copies that it keeps, and tells one that it does not have from one that is empty", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { run_id } = yield* store.create(draft, workflow)
      const path = "/workflows/prompts/empty.md"
      expect(yield* store.pinned(run_id, draft.workflow.file)).toEqual(Option.some(workflow))
      expect(yield* store.pinned(run_id, path)).toEqual(Option.none())
      yield* store.pin(run_id, [{ path, content: Buffer.from("") }])
      expect(yield* store.pinned(run_id, path)).toEqual(Option.some(Buffer.from("")))
      expect(yield* Effect.flip(store.pinned(RunId.make("0000000000"), path))).toMatchObject({ _tag: "RunNotFound" })
    }).pipe(Effect.provide(layer))
  )

  it.live("names every run differently, and lists them all", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const specs = yield* Effect.all(
        Array.from({ length: 20 }, () => store.create(draft, workflow)),
        { concurrency: "unbounded" }
      )
      const ids = specs.map(({ run_id }) => run_id)
      expect(new Set(ids).size).toBe(20)
      expect([...(yield* store.ids)].sort()).toEqual(ids.sort())
    }).pipe(Effect.provide(layer))
  )

  it.live("does not know a run that was never made or is removed", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      expect(yield* Effect.flip(store.spec(RunId.make("nobody")))).toMatchObject({
        _tag: "RunNotFound",
        runId: "nobody"
      })
      const { run_id } = yield* store.create(draft, workflow)
      yield* store.remove(run_id)
      yield* store.remove(run_id)
      expect(yield* Effect.flip(store.spec(run_id))).toMatchObject({ _tag: "RunNotFound" })
      expect(yield* store.ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("knows the process of a run once it was told", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { run_id } = yield* store.create(draft, workflow)
      expect(yield* store.process(run_id)).toEqual(Option.none())
      yield* store.recordProcess(run_id, record)
      expect(yield* store.process(run_id)).toEqual(Option.some(record))
    }).pipe(Effect.provide(layer))
  )
})
