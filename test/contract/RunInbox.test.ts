/** What every inbox of a run promises. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Stream } from "effect"
import * as FileRunInbox from "../../src/runs/FileRunInbox.ts"
import * as FileRunStore from "../../src/runs/FileRunStore.ts"
import * as MemoryRunInbox from "../../src/runs/MemoryRunInbox.ts"
import * as MemoryRunStore from "../../src/runs/MemoryRunStore.ts"
import { RunInbox } from "../../src/runs/RunInbox.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { draft } from "../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const inboxes = [
  { name: "in memory", layer: Layer.merge(MemoryRunInbox.layer, MemoryRunStore.layer) },
  {
    name: "in files",
    layer: Layer.merge(FileRunInbox.layer, FileRunStore.layer).pipe(
      Layer.provide(homeInWorkspace),
      Layer.provide(Workspace.layer)
    )
  }
]

const newRun = Effect.flatMap(RunStore, (store) =>
  Effect.map(store.create(draft, Buffer.from("text")), (spec) => spec.run_id)
)

const cancelBy = (requested_by: string) => ({ type: "cancel", requested_by }) as const

describe.each(inboxes)("an inbox $name", ({ layer }) => {
  it.live("gives what was posted before anybody listened, and what comes then", () =>
    Effect.gen(function* () {
      const inbox = yield* RunInbox
      const runId = yield* newRun
      yield* inbox.post(runId, cancelBy("one"))
      const listening = yield* Effect.fork(inbox.messages(runId, 0).pipe(Stream.take(2), Stream.runCollect))
      yield* inbox.post(runId, cancelBy("two"))
      expect(Chunk.toReadonlyArray(yield* Fiber.join(listening))).toEqual([cancelBy("one"), cancelBy("two")])
    }).pipe(Effect.provide(layer))
  )

  it.live("tells what was posted, and gives only what is new to whoever listens from there on", () =>
    Effect.gen(function* () {
      const inbox = yield* RunInbox
      const runId = yield* newRun
      expect(yield* inbox.past(runId, 0)).toEqual({ messages: [], end: 0 })
      yield* inbox.post(runId, cancelBy("one"))
      const { end, messages } = yield* inbox.past(runId, 0)
      expect(messages).toEqual([cancelBy("one")])
      const listening = yield* Effect.fork(Stream.runHead(inbox.messages(runId, end)))
      yield* inbox.post(runId, cancelBy("two"))
      expect(yield* Effect.flatten(Fiber.join(listening))).toEqual(cancelBy("two"))
    }).pipe(Effect.provide(layer))
  )
})
