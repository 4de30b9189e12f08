/** What the pen does with a file that somebody left in disorder, and with a disk that refuses. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeEventLine, encodeEventLine } from "../../../src/runs/EventLine.ts"
import { openEventWriter } from "../../../src/runs/FileEventWriter.ts"
import { completedStep, started, startedData } from "../../support/runs/Specs.ts"
import { smallDisk } from "../../support/runs/SmallDisk.ts"
import { Workspace } from "../../support/runs/Workspace.ts"

const linesOf = (path: string): ReadonlyArray<string> => readFileSync(path, "utf8").split("\n").slice(0, -1)

const sequence = (path: string): ReadonlyArray<number> =>
  linesOf(path).flatMap((line) => {
    const event = decodeEventLine(line)
    return event._tag === "Some" ? [event.value.seq] : []
  })

const logIn = Effect.map(Workspace, ({ folder }) => join(folder, "events.jsonl"))

const appendOne = (path: string) =>
  Effect.scoped(Effect.flatMap(openEventWriter(path), (writer) => writer.append("run_warning", { warning: "new" })))

describe("opening a log for writing", () => {
  it.live("cuts off a torn last line and goes on with the next number", () =>
    Effect.gen(function* () {
      const path = yield* logIn
      const torn = encodeEventLine(completedStep(2, "one")).slice(0, 40)
      writeFileSync(path, encodeEventLine(started) + torn)
      yield* appendOne(path)
      expect(sequence(path)).toEqual([1, 2])
      expect(linesOf(path)).toHaveLength(2)
    }).pipe(Effect.provide(Workspace.layer))
  )

  it.live("leaves a complete line that is no event where it is", () =>
    Effect.gen(function* () {
      const path = yield* logIn
      writeFileSync(path, `${encodeEventLine(started)}not an event\n`)
      yield* appendOne(path)
      expect(linesOf(path)[1]).toBe("not an event")
      expect(sequence(path)).toEqual([1, 2])
    }).pipe(Effect.provide(Workspace.layer))
  )

  it.live("makes a file that only its owner can read", () =>
    Effect.gen(function* () {
      const path = yield* logIn
      yield* appendOne(path)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }).pipe(Effect.provide(Workspace.layer))
  )

  it.live("fails with path, reason and remedy where it cannot write", () =>
    Effect.gen(function* () {
      const { folder } = yield* Workspace
      const path = join(folder, "missing", "events.jsonl")
      const error = yield* Effect.flip(appendOne(path))
      expect(error).toMatchObject({ _tag: "RunStoreError", code: "ENOENT", path })
    }).pipe(Effect.provide(Workspace.layer))
  )
})

const withSmallDisk = (name: string, test: (folder: string) => Effect.Effect<void, unknown>) =>
  it.scopedLive(name, ({ skip }) =>
    Effect.flatMap(smallDisk("256k"), (disk) =>
      disk._tag === "Mounted" ? test(disk.folder) : Effect.sync(() => void skip(`no small disk here: ${disk.reason}`))
    )
  )

describe("a full disk", () => {
  withSmallDisk(
    "keeps events in memory and writes them in order once there is room, and the log tells of it",
    (folder) =>
      Effect.gen(function* () {
        const path = join(folder, "events.jsonl")
        const ballast = join(folder, "ballast")
        writeFileSync(ballast, Buffer.alloc(200 * 1024))
        yield* Effect.flatMap(openEventWriter(path), (writer) =>
          Effect.gen(function* () {
            yield* writer.append("workflow_started", startedData)
            // Far more than what is left of the disk.
            const warning = "x".repeat(20_000)
            yield* Effect.forEach([1, 2, 3, 4, 5], () => writer.append("run_warning", { warning }))
            expect(sequence(path).length).toBeLessThan(6)
            rmSync(ballast)
            yield* writer.settled
            yield* writer.append("workflow_completed", { elapsed: 1, output: {} })
          })
        ).pipe(Effect.scoped)
        expect(sequence(path)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
        const told = decodeEventLine(linesOf(path)[6] ?? "")
        expect(told).toMatchObject({
          value: { type: "run_warning", data: { warning: expect.stringContaining("ENOSPC") } }
        })
      })
  )

  withSmallDisk("at the very end still lets the last event be the last", (folder) =>
    Effect.gen(function* () {
      const path = join(folder, "events.jsonl")
      const ballast = join(folder, "ballast")
      writeFileSync(ballast, Buffer.alloc(200 * 1024))
      yield* Effect.flatMap(openEventWriter(path), (writer) =>
        Effect.gen(function* () {
          yield* writer.append("workflow_started", startedData)
          yield* writer.append("run_warning", { warning: "x".repeat(80_000) })
          yield* writer.append("workflow_completed", { elapsed: 1, output: {} })
          rmSync(ballast)
        })
      ).pipe(Effect.scoped)
      expect(linesOf(path).map((line) => JSON.parse(line).type)).toEqual([
        "workflow_started",
        "run_warning",
        "run_warning",
        "workflow_completed"
      ])
    })
  )
})
