/**
 * The catalogue of an earlier start, kept on disk so that a server answers before it has read a single workflow.
 * Start-up is sacred: this file must never import more than `node:` modules. What it reads is an untrusted cache: anything
 * that is not exactly a snapshot of these options and these files counts as none.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { makeFolders } from "../platform/MakeFolders.ts"
import type { CatalogueContents } from "./CatalogueEntry.ts"
import { type FileStamp, sameStamp, stampOf } from "./FileStamp.ts"

/** Changes whenever the meaning of what is stored does. */
const VERSION = 2

export interface Snapshot {
  readonly key: string
  readonly contents: CatalogueContents
  /** Everything that was looked at to make the contents, as it was before it was read. */
  readonly fingerprint: ReadonlyArray<FileStamp>
}

/** The first line of the file. The rest is the contents as JSON text, which most starts need not read. */
interface Head {
  readonly version: typeof VERSION
  readonly key: string
  readonly mode: CatalogueContents["mode"]
  readonly fingerprint: ReadonlyArray<FileStamp>
  /** UTF-16 units of the rest, so that a file which was cut off is none. */
  readonly length: number
}

/** One key for program version, options and paths; the parts never run into each other. */
export const snapshotKey = (parts: ReadonlyArray<string>): string => JSON.stringify(parts)

/**
 * A file name for a key. Keys that share one only take the place from each other, since the file holds its key; so the
 * hash (FNV-1a) can be one that loads no module.
 */
export const snapshotName = (key: string): string => {
  const hash = (seed: number): string => {
    let state = seed
    for (let index = 0; index < key.length; index++) state = Math.imul(state ^ key.charCodeAt(index), 0x01000193)
    return (state >>> 0).toString(16).padStart(8, "0")
  }
  return `${hash(0x811c9dc5)}${hash(0x050c5d1f)}.json`
}

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

const isContents = (value: unknown): value is CatalogueContents =>
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

const isHead = (value: unknown, key: string): value is Head =>
  isObject(value) &&
  value["version"] === VERSION &&
  value["key"] === key &&
  (value["mode"] === "direct" || value["mode"] === "discovery") &&
  isListOf(value["fingerprint"], ["path", "kind", "mtimeNs", "ctimeNs", "size", "inode"])

const parseContents = (file: string, text: string): CatalogueContents => {
  const value: unknown = JSON.parse(text)
  if (!isContents(value)) throw new Error(`${file} is damaged: delete it and start the server again`)
  return value
}

/** Contents that are parsed when somebody looks at more than their mode. */
const keptContents = (file: string, { mode }: Head, text: string): CatalogueContents => {
  let parsed: CatalogueContents | undefined
  const whole = (): CatalogueContents => {
    parsed ??= parseContents(file, text)
    return parsed
  }
  return {
    mode,
    get entries() {
      return whole().entries
    },
    get excluded() {
      return whole().excluded
    },
    get collisions() {
      return whole().collisions
    },
    get warnings() {
      return whole().warnings
    }
  }
}

/** The snapshot in `file` when it was made for `key` and nothing that it was made from has changed since. Never throws. */
export const readSnapshot = (file: string, key: string): Snapshot | undefined => {
  try {
    const text = readFileSync(file, "utf8")
    const end = text.indexOf("\n")
    const head: unknown = JSON.parse(text.slice(0, end))
    if (!isHead(head, key) || head.length !== text.length - end - 1) return undefined
    const { fingerprint } = head
    if (!fingerprint.every((stamp) => sameStamp(stamp, stampOf(stamp.path)))) return undefined
    const rest = text.slice(end + 1)
    // A direct list needs its entries at once, and while it is read here a damaged one still counts as none.
    const contents = head.mode === "direct" ? parseContents(file, rest) : keptContents(file, head, rest)
    return { key, contents, fingerprint }
  } catch {
    return undefined
  }
}

/** Replaces `file` (0600) in one step, its folder (0700) made when missing. Throws the error of `node:fs` when it cannot. */
export const writeSnapshot = (file: string, { contents, fingerprint, key }: Snapshot): void => {
  makeFolders(dirname(file))
  const staged = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  const rest = JSON.stringify(contents)
  const head: Head = { version: VERSION, key, mode: contents.mode, fingerprint, length: rest.length }
  try {
    writeFileSync(staged, `${JSON.stringify(head)}\n${rest}`, { mode: 0o600 })
    renameSync(staged, file)
  } catch (cause) {
    rmSync(staged, { force: true })
    throw cause
  }
}
