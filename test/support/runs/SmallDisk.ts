/** A disk of a few hundred kilobytes for one test, or the reason why this machine gives none. */
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type SmallDisk =
  { readonly _tag: "Mounted"; readonly folder: string } | { readonly _tag: "Unavailable"; readonly reason: string }

const mount = (size: string): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), "conductor-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" })
    return { _tag: "Mounted", folder }
  } catch (cause) {
    rmSync(folder, { recursive: true })
    return { _tag: "Unavailable", reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

const unmount = (disk: SmallDisk): void => {
  if (disk._tag === "Unavailable") return
  execFileSync("umount", ["-l", disk.folder])
  rmSync(disk.folder, { recursive: true })
}

/** `size` as `mount` takes it: `256k`. */
export const smallDisk = (size: string): Effect.Effect<SmallDisk, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mount(size)),
    (disk) => Effect.sync(() => unmount(disk))
  )

export const remountReadOnly = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => execFileSync("mount", ["-o", "remount,ro", folder]))
