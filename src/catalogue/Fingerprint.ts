/**
 * The stamps of everything that a catalogue is made from, taken before it is read. A snapshot may be kept only when no
 * later change could hide from them.
 */
import { Clock, Effect } from "effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { type FileStamp, isRacy, sameStamp, stampOf } from "./FileStamp.ts"

export interface Fingerprint {
  readonly stamps: ReadonlyArray<FileStamp>
  /** Milliseconds since 1970 when the stamps were taken. */
  readonly takenAt: number
}

/**
 * Of a folder: itself (files that come and go), its index, present or not, and every YAML file in it, since one that is no
 * workflow yet can become one without the folder changing.
 */
export const folderPaths = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => readdir(folder).catch(() => [])).pipe(
    Effect.map((names) => [
      folder,
      join(folder, "index.yaml"),
      join(folder, "index.json"),
      ...names.filter((name) => /\.ya?ml$/i.test(name) && name !== "index.yaml").map((name) => join(folder, name))
    ])
  )

export const takeFingerprint = (paths: ReadonlyArray<string>): Effect.Effect<Fingerprint> =>
  Effect.map(Clock.currentTimeMillis, (takenAt) => ({ takenAt, stamps: [...new Set(paths)].map(stampOf) }))

/** Whether everything is as it was, and was so for long enough that a change would have been seen. */
export const holds = ({ stamps, takenAt }: Fingerprint): boolean =>
  stamps.every((stamp) => !isRacy(stamp, takenAt) && sameStamp(stamp, stampOf(stamp.path)))
