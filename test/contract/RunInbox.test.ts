/** What every inbox of a run promises. */
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Fiber, Layer, Stream } from "effect"
import { readFileSync } from "node:fs"
import * as FileRunInbox from "../../src/runs/FileRunInbox.ts"
import * as FileRunStore from "../../src/runs/FileRunStore.ts"
import * as MemoryRunInbox from "../../src/runs/MemoryRunInbox.ts"
import * as MemoryRunStore from "../../src/runs/MemoryRunStore.ts"
import { RunInbox } from "../../src/runs/RunInbox.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { draft } from "../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../support/runs/Workspace.ts"

const inFiles = Layer.merge(FileRunInbox.layer, FileRunStore.layer).pipe(
  Layer.provide(homeInWorkspace),
  Layer.provide(Workspace.layer)
)

const inboxes = [
  { name: "in memory", layer: Layer.merge(MemoryRunInbox.layer, MemoryRunStore.layer) },
  { name: "in files", layer: inFiles }
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

describe("an inbox in files", () => {
  const name = "CONDUCTOR_TEST_INBOX_TOKEN"
  const secret = "tok-in-a-message-1"
  const withVariable = Effect.acquireRelease(
    Effect.sync(() => {
      process.env[name] = secret
    }),
    () =>
      Effect.sync(() => {
        delete process.env[name]
      })
  )

  it.scopedLive("does not hold the secrets of who writes to it, and gives them to who knows them", () =>
    Effect.gen(function* () {
      yield* withVariable
      yield* Effect.gen(function* () {
        const inbox = yield* RunInbox
        const store = yield* RunStore
        const runId = yield* newRun
        const message = { type: "guidance", text: `use ${secret} and ⟦secret:X⟧` } as const
        yield* inbox.post(runId, message)
        expect((yield* inbox.past(runId, 0)).messages).toEqual([message])
        const written = readFileSync(store.files(runId).control, "utf8")
        expect(written).toContain(`⟦secret:${name}⟧`)
        expect(written).not.toContain(secret)
      }).pipe(Effect.provide(inFiles))
    })
  )
})
