import { describe, expect, it, onTestFinished } from "@effect/vitest"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  readSnapshot,
  type Snapshot,
  snapshotKey,
  snapshotName,
  writeSnapshot
} from "../../../src/catalogue/CatalogueSnapshot.ts"
import { type FileStamp, isRacy, stampOf } from "../../../src/catalogue/FileStamp.ts"
import { entryOf } from "./CatalogueEntries.ts"

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "catalogue-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const KEY = snapshotKey(["1.0.0", "{}"])

const snapshotOf = (fingerprint: ReadonlyArray<FileStamp>): Snapshot => ({
  key: KEY,
  contents: { entries: [entryOf()], excluded: [], collisions: [], warnings: ["a warning"], mode: "direct" },
  fingerprint
})

/** A stored snapshot over one workflow file, its folder, and a file that is not there. */
const stored = () => {
  const root = folder()
  const flows = join(root, "flows")
  mkdirSync(flows)
  const workflow = join(flows, "review.yaml")
  const index = join(flows, "index.yaml")
  writeFileSync(workflow, "workflow: {}")
  // A time that can be set back exactly: dates count milliseconds, files nanoseconds.
  utimesSync(workflow, new Date(1000), new Date(1000))
  const file = join(root, "cache", "catalogue", "one.json")
  const snapshot = snapshotOf([workflow, flows, index].map(stampOf))
  writeSnapshot(file, snapshot)
  return { file, flows, index, snapshot, workflow }
}

describe("a snapshot", () => {
  it("is read back as it was written while nothing changed", () => {
    const { file, snapshot } = stored()
    expect(readSnapshot(file, KEY)).toEqual(snapshot)
  })

  it("is private, in a private folder, with nothing left beside it", () => {
    const { file } = stored()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(file, ".."))).toEqual(["one.json"])
  })

  it("replaces an older one", () => {
    const { file, snapshot } = stored()
    writeSnapshot(file, { ...snapshot, contents: { ...snapshot.contents, warnings: ["newer"] } })
    expect(readSnapshot(file, KEY)?.contents.warnings).toEqual(["newer"])
  })

  it("leaves nothing behind when it cannot be put in place", () => {
    const root = folder()
    const file = join(root, "one.json")
    mkdirSync(join(file, "in the way"), { recursive: true })
    expect(() => writeSnapshot(file, snapshotOf([]))).toThrow()
    expect(readdirSync(root)).toEqual(["one.json"])
  })

  it("of other options counts as none", () => {
    const { file } = stored()
    expect(readSnapshot(file, snapshotKey(["1.0.0", '{"deny":["*"]}']))).toBeUndefined()
  })

  it("that is missing counts as none", () => {
    expect(readSnapshot(join(folder(), "none.json"), KEY)).toBeUndefined()
  })

  it("counts as none once a workflow was edited, even to the same length and with its time set back", () => {
    const { file, workflow } = stored()
    writeFileSync(workflow, "workflow: []")
    utimesSync(workflow, new Date(1000), new Date(1000))
    expect(readSnapshot(file, KEY)).toBeUndefined()
  })

  it("counts as none once a workflow was replaced by another file", () => {
    const { file, flows, workflow } = stored()
    writeFileSync(join(flows, "..", "new"), "workflow: {}")
    renameSync(join(flows, "..", "new"), workflow)
    expect(readSnapshot(file, KEY)).toBeUndefined()
  })

  it("counts as none once a workflow was added, or removed, or an index appeared", () => {
    const added = stored()
    writeFileSync(join(added.flows, "another.yaml"), "")
    expect(readSnapshot(added.file, KEY)).toBeUndefined()
    const removed = stored()
    rmSync(removed.workflow)
    expect(readSnapshot(removed.file, KEY)).toBeUndefined()
    const indexed = stored()
    writeSnapshot(indexed.file, snapshotOf([stampOf(indexed.index)]))
    writeFileSync(indexed.index, "")
    expect(readSnapshot(indexed.file, KEY)).toBeUndefined()
  })

  const broken: ReadonlyArray<readonly [string, (text: string) => string]> = [
    ["empty", () => ""],
    ["cut off", (text) => text.slice(0, -10)],
    ["no object", () => "[]"],
    ["null", () => "null"],
    ["of another version", (text) => text.replace(/"version":\d+/, '"version":999')],
    ["without entries", (text) => text.replace('"entries":[', '"entries":null,"x":[')],
    ["with an entry that has no file", (text) => text.replace('"file":', '"elif":')],
    ["with an entry whose schema is text", (text) => text.replace(/"inputSchema":\{[^}]*\}\}/, '"inputSchema":"x"')],
    ["with a stamp that is none", (text) => text.replace('"inode":', '"node":')],
    ["in an unknown mode", (text) => text.replace('"mode":"direct"', '"mode":"other"')]
  ]

  it.each(broken)("that is %s counts as none", (_, damage) => {
    const { file } = stored()
    const text = readFileSync(file, "utf8")
    expect(damage(text)).not.toBe(text)
    writeFileSync(file, damage(text))
    expect(readSnapshot(file, KEY)).toBeUndefined()
  })

  it("is keyed by parts that never run into each other", () => {
    expect(snapshotKey(["ab", "c"])).not.toBe(snapshotKey(["a", "bc"]))
  })

  it("has a file name that says nothing of its key and differs with it", () => {
    expect(snapshotName(KEY)).toMatch(/^[0-9a-f]{16}\.json$/)
    expect(snapshotName(KEY)).not.toBe(snapshotName(snapshotKey(["1.0.1", "{}"])))
  })

  it("of many workflows is read without its contents, until somebody asks for them", () => {
    const { file, snapshot } = stored()
    const discovery: Snapshot = { ...snapshot, contents: { ...snapshot.contents, mode: "discovery" } }
    writeSnapshot(file, discovery)
    expect(readSnapshot(file, KEY)).toEqual(discovery)
    writeFileSync(file, readFileSync(file, "utf8").replace('"file":', '"elif":'))
    const damaged = readSnapshot(file, KEY)
    expect(damaged?.contents.mode).toBe("discovery")
    expect(() => damaged?.contents.entries).toThrow(/delete it/)
  })

  it("is read without loading anything but node's own modules", () => {
    const imports = (file: string): ReadonlyArray<string> => {
      const source = readFileSync(new URL(`../../../src/catalogue/${file}`, import.meta.url), "utf8")
      return [...source.matchAll(/^import (?!type)[^"]*"([^"]+)"/gm)].map(([, from]) => from ?? "")
    }
    const reached = ["CatalogueSnapshot.ts", "FileStamp.ts", "../platform/MakeFolders.ts"].flatMap(imports)
    expect(reached.filter((from) => !from.startsWith("node:"))).toEqual([
      "../platform/MakeFolders.ts",
      "./FileStamp.ts"
    ])
  })
})

describe("a file stamp", () => {
  const at = (mtimeNs: string): FileStamp => ({
    path: "/x",
    kind: "file",
    mtimeNs,
    ctimeNs: mtimeNs,
    size: "1",
    inode: "1"
  })

  it("is racy when the file changed so recently that another change could look the same", () => {
    expect(isRacy(at("1000010000001"), 1_000_020)).toBe(true)
    expect(isRacy(at("1000010000001"), 1_000_100)).toBe(false)
  })

  it("is racy for longer where the file system counts in whole seconds", () => {
    expect(isRacy(at("1000000000000"), 1_001_500)).toBe(true)
    expect(isRacy(at("1000000000000"), 1_002_500)).toBe(false)
  })

  it("of a file that is not there is never racy", () => {
    expect(isRacy(stampOf(join(folder(), "none")), Date.now())).toBe(false)
  })
})
