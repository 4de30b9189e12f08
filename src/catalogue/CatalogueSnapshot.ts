/**
 * The catalogue of an earlier start, kept on disk so that a server answers before it has read a single workflow.
 * Start-up is sacred: this file must never import more than `node:` modules. What it reads is an untrusted cache: anything
 * that is not exactly a snapshot of these options and these files counts as none.
 */
import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Json } from "../domain/Value.ts"
import type { CatalogueContents } from "./CatalogueEntry.ts"
import { type FileStamp, sameStamp, stampOf } from "./FileStamp.ts"

/** Changes whenever the meaning of what is stored does. */
export const SNAPSHOT_VERSION = 1

export interface Snapshot {
  readonly version: typeof SNAPSHOT_VERSION
  readonly key: string
  readonly contents: CatalogueContents
  /** Everything that was looked at to make the contents, as it was before it was read. */
  readonly fingerprint: ReadonlyArray<FileStamp>
  /** What the caller keeps beside it, such as finished protocol messages. */
  readonly extra: Json
}

/** One key for program version, options and paths; the parts never run into each other. */
export const snapshotKey = (parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isListOf = (value: unknown, texts: ReadonlyArray<string>, objects: ReadonlyArray<string> = []): boolean =>
  Array.isArray(value) &&
  value.every(
    (item: unknown) =>
      isObject(item) &&
      texts.every((field) => typeof item[field] === "string") &&
      objects.every((field) => isObject(item[field]))
  )

const isContents = (value: unknown): boolean =>
  isObject(value) &&
  isListOf(
    value["entries"],
    ["tool", "registry", "key", "title", "description", "file", "pin", "mode", "exposedBy"],
    ["inputSchema", "parameters", "outputSchema"]
  ) &&
  isListOf(value["excluded"], ["registry", "key", "rung", "reason"]) &&
  isListOf(value["collisions"], ["name"]) &&
  Array.isArray(value["warnings"]) &&
  (value["mode"] === "direct" || value["mode"] === "discovery")

const isSnapshot = (value: unknown, key: string): value is Snapshot =>
  isObject(value) &&
  value["version"] === SNAPSHOT_VERSION &&
  value["key"] === key &&
  isContents(value["contents"]) &&
  isListOf(value["fingerprint"], ["path", "kind", "mtimeNs", "ctimeNs", "size", "inode"])

/** The snapshot in `file` when it was made for `key` and nothing that it was made from has changed since. Never throws. */
export const readSnapshot = (file: string, key: string): Snapshot | undefined => {
  try {
    const snapshot: unknown = JSON.parse(readFileSync(file, "utf8"))
    if (!isSnapshot(snapshot, key)) return undefined
    return snapshot.fingerprint.every((stamp) => sameStamp(stamp, stampOf(stamp.path))) ? snapshot : undefined
  } catch {
    return undefined
  }
}

/** Replaces `file` (0600) in one step, its folder (0700) made when missing. Throws the error of `node:fs` when it cannot. */
export const writeSnapshot = (file: string, snapshot: Snapshot): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const staged = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`)
  try {
    writeFileSync(staged, JSON.stringify(snapshot), { mode: 0o600, flag: "wx" })
    renameSync(staged, file)
  } catch (cause) {
    rmSync(staged, { force: true })
    throw cause
  }
}
