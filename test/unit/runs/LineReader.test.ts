/** Lines of a log may be longer than what is read at once. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readLines, type LineSlice } from "../../../src/runs/LineReader.ts"
import { foldSlices } from "../../../src/runs/Slices.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "conductor-lines-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Bytes beside and far beyond the size of a slice, with characters that a border could cut. */
const lengths = [0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 5 * 2 ** 20, 3]
const lines = lengths.map((length) => "ä".repeat(Math.floor(length / 2)) + "x".repeat(length % 2))

const read = (text: string) =>
  Effect.gen(function* () {
    const path = join(yield* temporary, "events.jsonl")
    writeFileSync(path, text)
    const none: ReadonlyArray<LineSlice> = []
    const slices = yield* foldSlices(
      (from) => readLines(path, from),
      0,
      none,
      (read, slice) => [...read, slice]
    )
    return { lines: slices.flatMap((slice) => slice.lines), end: slices.at(-1)?.end }
  }).pipe(Effect.scoped)

describe("the lines of a file", () => {
  it.effect("are whole, however long", () =>
    Effect.gen(function* () {
      const text = `${lines.join("\n")}\n`
      const found = yield* read(text)
      expect(found.lines.map((line) => line.length)).toEqual(lines.map((line) => line.length))
      expect(found.lines).toEqual(lines)
      expect(found.end).toBe(Buffer.byteLength(text))
    })
  )

  it.effect("end before one that has no end yet", () =>
    Effect.gen(function* () {
      const text = `${lines.join("\n")}\n`
      const found = yield* read(`${text}${"y".repeat(3 * 2 ** 20)}`)
      expect(found.lines).toEqual(lines)
      expect(found.end).toBe(Buffer.byteLength(text))
    })
  )
})
