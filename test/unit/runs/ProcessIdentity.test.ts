/** Whether a number still stands for the process that it stood for. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { identify, liveness, ProcessIdentity } from "../../../src/platform/ProcessIdentity.ts"

const sleeper = Effect.acquireRelease(
  Effect.sync(() => spawn("sleep", ["60"], { stdio: "ignore" })),
  (child) =>
    Effect.promise(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    })
)

const identityOf = (pid = 0) =>
  Effect.filterOrDieMessage(identify(pid), (found) => found !== undefined, "no such process")

describe("the identity of a process", () => {
  it.scopedLive("stays the same as long as it lives", () =>
    Effect.gen(function* () {
      const { pid } = yield* sleeper
      const identity = yield* identityOf(pid)
      expect(yield* identityOf(pid)).toEqual(identity)
      expect(yield* liveness(identity)).toBe("alive")
    })
  )

  it.scopedLive("is gone once the process has ended, also while nobody has reaped it", () =>
    Effect.gen(function* () {
      // The shell neither waits for its child nor ends: the child stays a zombie.
      const shell = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const [line] = yield* Effect.promise(() => once(shell.stdout, "data"))
      const pid = Number(String(line))
      const identity = yield* identityOf(pid)
      process.kill(pid, "SIGKILL")
      const state = yield* Effect.repeat(liveness(identity), { until: (now) => now === "gone", times: 10_000 })
      expect(state).toBe("gone")
    })
  )

  it.scopedLive.skipIf(process.platform === "win32")("is never unknown while it ends", () =>
    Effect.gen(function* () {
      const looks = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () =>
          Effect.gen(function* () {
            const child = yield* sleeper
            const identity = yield* identityOf(child.pid)
            child.kill("SIGKILL")
            const seen = new Set<string>()
            yield* Effect.repeat(
              Effect.tap(liveness(identity), (now) => Effect.sync(() => seen.add(now))),
              {
                until: (now) => now !== "alive"
              }
            )
            return [...seen].at(-1)
          }),
        { concurrency: 20 }
      )
      expect(new Set(looks)).toEqual(new Set(["gone"]))
    })
  )

  it.live("is gone when another process has its number", () =>
    Effect.gen(function* () {
      const mine = yield* identityOf(process.pid)
      expect(yield* liveness(ProcessIdentity.make({ ...mine, startTime: "1" }))).toBe("gone")
      expect(yield* liveness(ProcessIdentity.make({ ...mine, bootId: "an earlier boot" }))).toBe("gone")
    })
  )

  it.live("is unknown when only the number is known and somebody has it", () =>
    Effect.gen(function* () {
      expect(yield* liveness(ProcessIdentity.make({ pid: process.pid, confidence: "pid" }))).toBe("unknown")
    })
  )

  it.live("does not exist for a number that nobody has", () =>
    Effect.gen(function* () {
      expect(yield* identify(2 ** 30)).toBeUndefined()
    })
  )
})
