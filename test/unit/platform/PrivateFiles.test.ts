import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  createExclusive,
  FileError,
  fileError,
  makePrivateDirectory,
  readFileIfExists,
  removeFileIfExists,
  writeFileAtomic
} from "../../../src/platform/PrivateFiles.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "private-files-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("private files", () => {
  it.scoped("folders are for their owner only, parents too, and those that exist keep their mode", () =>
    Effect.gen(function* () {
      const root = yield* folder
      mkdirSync(join(root, "shared"))
      chmodSync(join(root, "shared"), 0o755)
      yield* makePrivateDirectory(join(root, "shared", "a", "b"))
      yield* makePrivateDirectory(join(root, "shared"))
      expect(["shared", "shared/a", "shared/a/b"].map((path) => modeOf(join(root, path)))).toEqual([
        "755",
        "700",
        "700"
      ])
    })
  )

  it.scoped("a written file is 0600, whole, and leaves nothing else behind", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      yield* writeFileAtomic(path, "one")
      yield* writeFileAtomic(path, new TextEncoder().encode("zwei ü"))
      expect(readFileSync(path, "utf8")).toBe("zwei ü")
      expect(modeOf(path)).toBe("600")
      expect(readdirSync(join(path, ".."))).toEqual(["file"])
    })
  )

  it.scoped("a reader sees one of the versions while many are written, never a part", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      const versions = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(100_000))
      yield* writeFileAtomic(path, versions[0] ?? "")
      const write = Effect.forEach(versions, (version) => writeFileAtomic(path, version), { concurrency: 4 })
      const read = Effect.replicateEffect(readFileIfExists(path), 40)
      const [, seen] = yield* Effect.all([write, read], { concurrency: 2 })
      for (const text of seen) expect(versions).toContain(Option.getOrNull(text))
    })
  )

  it.scoped("a file that cannot be replaced keeps its old bytes and leaves no temporary file", () =>
    Effect.gen(function* () {
      const root = yield* folder
      mkdirSync(join(root, "taken"))
      const error = yield* Effect.flip(writeFileAtomic(join(root, "taken"), "text"))
      expect(error).toBeInstanceOf(FileError)
      expect(readdirSync(root)).toEqual(["taken"])
    })
  )

  it.scoped("a missing file reads as none, an unreadable one as an error with its place", () =>
    Effect.gen(function* () {
      const root = yield* folder
      expect(yield* readFileIfExists(join(root, "none"))).toEqual(Option.none())
      const error = yield* Effect.flip(readFileIfExists(root))
      expect(error).toMatchObject({ operation: "read", path: root, code: "EISDIR" })
    })
  )

  it.scoped("of many who create a file one does", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => String(index)),
        (text) => createExclusive(path, text),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1)
      expect(readFileSync(path, "utf8")).toBe(String(outcomes.indexOf("created")))
      expect(modeOf(path)).toBe("600")
    })
  )

  it.scoped("removing a file twice is fine", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      writeFileSync(path, "")
      yield* removeFileIfExists(path)
      yield* removeFileIfExists(path)
    })
  )

  it.each([
    ["ENOSPC", "disk is full"],
    ["EDQUOT", "quota"],
    ["EROFS", "read-only"],
    ["EACCES", "owner and mode"]
  ])("%s says what to do", (code, words) => {
    const cause = Object.assign(new Error(`${code}: no luck, open '/x/y'`), { code })
    const { message } = fileError("write", "/x/y")(cause)
    expect(message).toContain(`Cannot write /x/y: ${code}: no luck.`)
    expect(message).toContain(words)
  })

  it("a failure that is no system error is told as it is", () => {
    expect(fileError("read", "/x")("odd")).toMatchObject({ code: "UNKNOWN", message: "Cannot read /x: odd." })
  })
})
