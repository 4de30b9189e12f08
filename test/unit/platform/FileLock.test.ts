import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { withFileLock } from "../../../src/platform/FileLock.ts"

const lockPath = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "file-lock-")), "lock")),
  (path) => Effect.sync(() => rmSync(dirname(path), { recursive: true, force: true }))
)

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid

const leaveBehind = (path: string, pid: number, ageSeconds: number): void => {
  writeFileSync(path, String(pid))
  const then = Date.now() / 1000 - ageSeconds
  utimesSync(path, then, then)
}

describe("a file lock", () => {
  it.scopedLive("lets one in at a time and is gone afterwards", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      let inside = 0
      let most = 0
      const work = Effect.sync(() => (most = Math.max(most, ++inside))).pipe(
        Effect.zipRight(Effect.yieldNow()),
        Effect.zipRight(Effect.sync(() => inside--))
      )
      yield* Effect.replicateEffect(withFileLock(path)(work), 10, { concurrency: "unbounded" })
      expect(most).toBe(1)
      expect(existsSync(path)).toBe(false)
    })
  )

  it.scopedLive("is given back when the work fails or is interrupted, also while it waits", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      expect(Exit.isFailure(yield* Effect.exit(withFileLock(path)(Effect.fail("no"))))).toBe(true)
      expect(existsSync(path)).toBe(false)

      const entered = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(
        withFileLock(path)(Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never))
      )
      yield* Deferred.await(entered)
      const waiter = yield* Effect.fork(withFileLock(path)(Effect.void))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiter)
      expect(existsSync(path)).toBe(true)
      yield* Fiber.interrupt(holder)
      expect(existsSync(path)).toBe(false)
    })
  )

  it.scopedLive("of a process that died is broken", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      leaveBehind(path, deadPid(), 60)
      let inside = 0
      const work = Effect.sync(() => expect(++inside).toBe(1)).pipe(
        Effect.zipRight(Effect.yieldNow()),
        Effect.zipRight(Effect.sync(() => inside--))
      )
      yield* Effect.replicateEffect(withFileLock(path)(work), 8, { concurrency: "unbounded" })
      expect(readdirSync(dirname(path))).toEqual([])
    })
  )

  it.scopedLive("of a process that lives is never broken, however old it is", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      leaveBehind(path, process.pid, 3_600)
      const waiter = yield* Effect.fork(withFileLock(path)(Effect.succeed("entered")))
      expect(yield* Effect.timeoutOption(Fiber.await(waiter), "200 millis")).toMatchObject({ _tag: "None" })
      rmSync(path)
      expect(yield* Fiber.join(waiter)).toBe("entered")
    })
  )

  it.scopedLive("that is new is not broken, although its holder cannot be seen from here", () =>
    Effect.gen(function* () {
      const path = yield* lockPath
      leaveBehind(path, deadPid(), 0)
      const waiter = yield* Effect.fork(withFileLock(path)(Effect.void))
      expect(yield* Effect.timeoutOption(Fiber.await(waiter), "200 millis")).toMatchObject({ _tag: "None" })
      expect(existsSync(path)).toBe(true)
      yield* Fiber.interrupt(waiter)
    })
  )
})
