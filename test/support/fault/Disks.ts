/** A home on a small disk of its own, which a test may fill or make read-only. */
import { Effect } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { remountReadOnly, smallDisk } from "../runs/SmallDisk.ts"

export interface HomeDisk {
  readonly home: string
  /** Takes all the space that is left; the answer gives it back. */
  readonly fill: () => () => void
  readonly makeReadOnly: () => Promise<void>
}

const blocks = [1 << 16, 1 << 12, 1 << 8, 1]

/** Larger blocks first, since the last bytes need small ones. */
const fillUp = (file: string): void => {
  for (const size of blocks) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" })
    } catch {
      // Full, as far as blocks of this size go.
    }
  }
}

/** Does `use` with such a home; `unavailable` hears why there is none on this machine. */
export const withHomeDisk = (
  size: string,
  unavailable: (reason: string) => void,
  use: (disk: HomeDisk) => Promise<void>
): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(smallDisk(size), (disk) =>
        Effect.promise(async () => {
          if (disk._tag === "Unavailable") return unavailable(`no small disk here: ${disk.reason}`)
          const home = join(disk.folder, "home")
          mkdirSync(home)
          const ballast = join(disk.folder, "ballast")
          await use({
            home,
            fill: () => {
              fillUp(ballast)
              return () => rmSync(ballast)
            },
            makeReadOnly: () => Effect.runPromise(remountReadOnly(disk.folder))
          })
        })
      )
    )
  )
