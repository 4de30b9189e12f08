/** What every index promises. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { RunId } from "../../src/domain/RunId.ts"
import { Float } from "../../src/domain/Value.ts"
import { advance, emptyFold } from "../../src/runs/RunFold.ts"
import * as MemoryRunIndex from "../../src/runs/MemoryRunIndex.ts"
import { RunIndex, type IndexedRun } from "../../src/runs/RunIndex.ts"
import * as SqlRunIndex from "../../src/runs/SqlRunIndex.ts"
import { event, specOf, started } from "../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const indexes = [
  { name: "in memory", layer: MemoryRunIndex.layer },
  { name: "in SQLite", layer: SqlRunIndex.layer.pipe(Layer.provide(homeInWorkspace), Layer.provide(Workspace.layer)) }
]

const output = { float: new Float(3), text: "ä" }
const completed = event(2, "workflow_completed", { elapsed: 1, output })

const running = (runId: string, change: Parameters<typeof specOf>[1] = {}): IndexedRun => ({
  fold: advance(emptyFold(specOf(runId, change)), started),
  end: 100
})
const finished = (runId: string, change: Parameters<typeof specOf>[1] = {}): IndexedRun => {
  const { fold } = running(runId, change)
  return { fold: advance(fold, completed), end: 200 }
}
const lost = (runId: string): IndexedRun => ({ ...running(runId), lost: "It is gone." })
const at = (second: number) => ({ created_at: `2026-01-01T00:00:0${second}.000Z` })

const all = { limit: 100, offset: 0 }
const names = (runs: ReadonlyArray<IndexedRun>) => runs.map(({ fold }) => fold.spec.run_id)

describe.each(indexes)("an index $name", ({ layer }) => {
  it.effect("gives back what it was told, output and number kinds included", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a"), lost("b")])
      expect(yield* index.get(RunId.make("a"))).toEqual(Option.some(finished("a")))
      expect(yield* index.get(RunId.make("b"))).toEqual(Option.some(lost("b")))
      expect(yield* index.get(RunId.make("c"))).toEqual(Option.none())
    }).pipe(Effect.provide(layer))
  )

  it.effect("lists newest first, page by page, with the number of all", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("b", at(2)), finished("a", at(1)), finished("d", at(3)), finished("c", at(3))])
      const first = yield* index.page({ limit: 2, offset: 0 })
      expect(names(first.runs)).toEqual(["d", "c"])
      expect(first.total).toBe(4)
      expect(names((yield* index.page({ limit: 2, offset: 2 })).runs)).toEqual(["b", "a"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("lists without outputs", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a")])
      const { runs } = yield* index.page(all)
      expect(runs[0]?.fold.output).toBeUndefined()
      expect(runs[0]?.fold.status).toBe("completed")
    }).pipe(Effect.provide(layer))
  )

  it.effect("filters by status, and knows lost from running", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a"), running("b"), lost("c")])
      expect(names((yield* index.page({ ...all, status: "completed" })).runs)).toEqual(["a"])
      expect(names((yield* index.page({ ...all, status: "running" })).runs)).toEqual(["b"])
      expect(yield* index.page({ ...all, status: "lost" })).toMatchObject({ total: 1, runs: [lost("c")] })
    }).pipe(Effect.provide(layer))
  )

  it.effect("filters by the workflow's name, its key, or the tool", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      const { workflow } = specOf("x")
      const other = specOf("b", { workflow: { ...workflow, key: "other" }, provenance: { via: "cli" } })
      yield* index.put([running("a"), running("b", other)])
      expect(names((yield* index.page({ ...all, workflow: "other" })).runs)).toEqual(["b"])
      expect(names((yield* index.page({ ...all, workflow: "example_tool" })).runs)).toEqual(["a"])
      expect((yield* index.page({ ...all, workflow: "Example workflow" })).total).toBe(2)
      expect((yield* index.page({ ...all, workflow: "Example workflow", status: "completed" })).total).toBe(0)
    }).pipe(Effect.provide(layer))
  )

  it.effect("does not let a writer that has read less overwrite one that has read more", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a")])
      yield* index.put([running("a")])
      expect(yield* index.get(RunId.make("a"))).toEqual(Option.some(finished("a")))
    }).pipe(Effect.provide(layer))
  )

  it.effect("knows which runs are not over and how far they were read", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a"), running("b"), lost("c")])
      expect(yield* index.unfinished).toEqual([{ runId: "b", end: 100 }])
      expect([...(yield* index.ids)].sort()).toEqual(["a", "b", "c"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("forgets what is removed", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      yield* index.put([finished("a"), finished("b")])
      yield* index.remove([RunId.make("a"), RunId.make("never")])
      expect([...(yield* index.ids)]).toEqual(["b"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("remembers what it was compared with", () =>
    Effect.gen(function* () {
      const index = yield* RunIndex
      expect(yield* index.comparedWith).toEqual(Option.none())
      yield* index.setComparedWith("1")
      yield* index.setComparedWith("2")
      expect(yield* index.comparedWith).toEqual(Option.some("2"))
    }).pipe(Effect.provide(layer))
  )
})
