/** What is true only of run folders: modes, half made ones, damaged files, copies. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RunId } from "../../../src/domain/RunId.ts"
import { Home } from "../../../src/platform/Home.ts"
import * as FileRunStore from "../../../src/runs/FileRunStore.ts"
import { RunStore } from "../../../src/runs/RunStore.ts"
import { draft } from "../../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../../support/runs/Workspace.ts"

const layer = FileRunStore.layer.pipe(Layer.provideMerge(homeInWorkspace), Layer.provideMerge(Workspace.layer))
const workflow = Buffer.from("text")
const mode = (path: string): number => statSync(path).mode & 0o777

describe("a run folder", () => {
  it.live("is closed to everyone else", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { run_id } = yield* store.create(draft, workflow)
      const files = store.files(run_id)
      expect(mode(files.directory)).toBe(0o700)
      expect(mode(files.workflow)).toBe(0o700)
      expect(mode(files.spec)).toBe(0o600)
      expect(mode(join(files.workflow, "example.yaml"))).toBe(0o600)
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps the bytes of the workflow, and included files at their places, also those from outside", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { run_id } = yield* store.create(draft, workflow)
      yield* store.pin(run_id, [
        { path: "/workflows/prompts/one.md", content: Buffer.from("one") },
        { path: "/elsewhere/one.md", content: Buffer.from("other") }
      ])
      const copy = store.files(run_id).workflow
      expect(readFileSync(join(copy, "example.yaml"), "utf8")).toBe("text")
      expect(readFileSync(join(copy, "prompts", "one.md"), "utf8")).toBe("one")
      const [outside = ""] = readdirSync(join(copy, "_outside"))
      expect(readFileSync(join(copy, "_outside", outside, "one.md"), "utf8")).toBe("other")
    }).pipe(Effect.provide(layer))
  )

  it.live("without a spec is no run, and is swept once it is old", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { runs } = yield* Home
      const { run_id } = yield* store.create(draft, workflow)
      mkdirSync(join(runs, "halfmade"))
      mkdirSync(join(runs, "fresh"))
      mkdirSync(join(runs, ".removed-gone"))
      mkdirSync(join(runs, "somebody.else"))
      for (const name of ["halfmade", ".removed-gone", "somebody.else", run_id]) utimesSync(join(runs, name), 1, 1)
      expect(yield* Effect.flip(store.spec(RunId.make("halfmade")))).toMatchObject({ _tag: "RunNotFound" })
      yield* store.sweep
      expect(readdirSync(runs).sort()).toEqual([run_id, "fresh", "somebody.else"].sort())
    }).pipe(Effect.provide(layer))
  )

  it.live("with a damaged spec says which file is damaged", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { run_id } = yield* store.create(draft, workflow)
      writeFileSync(store.files(run_id).spec, '{"version": 1, "run_')
      const error = yield* Effect.flip(store.spec(run_id))
      expect(error).toMatchObject({ _tag: "RunStoreError", path: store.files(run_id).spec })
    }).pipe(Effect.provide(layer))
  )

  it.live("is not left behind when it cannot be completed", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { runs } = yield* Home
      const impossible = { ...draft, workflow: { ...draft.workflow, file: `/workflows/${"x".repeat(300)}` } }
      expect(yield* Effect.flip(store.create(impossible, workflow))).toMatchObject({ code: "ENAMETOOLONG" })
      expect(readdirSync(runs)).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("changes the revision of the store when it comes or goes, but only once the clock can tell", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const { runs } = yield* Home
      const { run_id } = yield* store.create(draft, workflow)
      expect(yield* store.revision).toEqual(Option.none())
      utimesSync(runs, 1, 1)
      const before = yield* store.revision
      expect(Option.isSome(before)).toBe(true)
      yield* store.remove(run_id)
      expect(yield* store.revision).toEqual(Option.none())
      utimesSync(runs, 2, 2)
      expect(yield* store.revision).not.toEqual(before)
    }).pipe(Effect.provide(layer))
  )
})
