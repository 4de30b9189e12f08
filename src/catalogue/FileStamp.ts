/**
 * Whether a file or folder is still what it was, told from its inode without reading it. Loaded on the way to the first
 * answer of a server, so it must never import more than `node:fs`.
 */
import { statSync } from "node:fs"

/** Nanoseconds are decimal text, since they exceed what JSON numbers hold. */
export interface FileStamp {
  /** Absolute. */
  readonly path: string
  readonly kind: "file" | "directory" | "other" | "absent"
  readonly mtimeNs: string
  /** Changes even when somebody sets the modification time back. */
  readonly ctimeNs: string
  readonly size: string
  readonly inode: string
}

const absent = (path: string): FileStamp => ({
  path,
  kind: "absent",
  mtimeNs: "0",
  ctimeNs: "0",
  size: "0",
  inode: "0"
})

/** Follows symbolic links. What cannot be looked at counts as absent. */
export const stampOf = (path: string): FileStamp => {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return absent(path)
    return {
      path,
      kind: stat.isFile() ? "file" : stat.isDirectory() ? "directory" : "other",
      mtimeNs: String(stat.mtimeNs),
      ctimeNs: String(stat.ctimeNs),
      size: String(stat.size),
      inode: String(stat.ino)
    }
  } catch {
    return absent(path)
  }
}

export const sameStamp = (left: FileStamp, right: FileStamp): boolean =>
  left.path === right.path &&
  left.kind === right.kind &&
  left.mtimeNs === right.mtimeNs &&
  left.ctimeNs === right.ctimeNs &&
  left.size === right.size &&
  left.inode === right.inode

const NANOSECONDS_IN_MILLISECOND = 1_000_000n
/** An edit that follows within one tick of the file system's clock leaves the stamp as it was. */
const TICK = 50n * NANOSECONDS_IN_MILLISECOND
/** Some file systems count whole seconds, or pairs of them. */
const COARSE_TICK = 2_000n * NANOSECONDS_IN_MILLISECOND

const isRacyTime = (time: bigint, nowNs: bigint): boolean =>
  time > nowNs - (time % (1_000n * NANOSECONDS_IN_MILLISECOND) === 0n ? COARSE_TICK : TICK)

/** Whether a file was changed so shortly before `now` (milliseconds) that a second change could hide behind its stamp. */
export const isRacy = (stamp: FileStamp, now: number): boolean => {
  if (stamp.kind === "absent") return false
  const nowNs = BigInt(Math.trunc(now)) * NANOSECONDS_IN_MILLISECOND
  return isRacyTime(BigInt(stamp.mtimeNs), nowNs) || isRacyTime(BigInt(stamp.ctimeNs), nowNs)
}
