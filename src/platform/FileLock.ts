/**
 * Mutual exclusion between processes through a lock file, for changes that take milliseconds. A lock whose holder died
 * is broken; a lock whose holder lives is never taken away, however long it lasts.
 */
import { Effect, Option, Schema } from "effect"
import { stat } from "node:fs/promises"
import { createExclusive, type FileError, fileError, readFileIfExists, removeFileIfExists } from "./PrivateFiles.ts"

export class LockBusy extends Schema.TaggedError<LockBusy>()("LockBusy", {
  path: Schema.String,
  holder: Schema.String
}) {
  override get message(): string {
    return (
      `Another process (${this.holder}) is changing the file that ${this.path} protects. Repeat the command; ` +
      `if no conductor command is running, delete ${this.path} first.`
    )
  }
}

/**
 * A lock this old with no living holder is left over. The age guards against a holder that this process cannot see
 * (another container or machine that shares the folder): such a one finishes long before.
 */
const staleAfterMilliseconds = 5_000

/** Signal 0 only asks. `EPERM` means that the process lives and belongs to somebody else. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

const holderOf = (text: string): string => (/^\d+$/.test(text.trim()) ? `pid ${text.trim()}` : "unknown")

const ageOf = (path: string, now: number): Effect.Effect<number, FileError> =>
  Effect.tryPromise({ try: () => stat(path), catch: fileError("inspect", path) }).pipe(
    Effect.map((info) => now - info.mtimeMs),
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.succeed(0)
    )
  )

const isStale = Effect.fn("FileLock.isStale")(function* (path: string) {
  const text = yield* readFileIfExists(path)
  if (Option.isNone(text)) return false
  const pid = Number(text.value.trim())
  if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) return false
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  return (yield* ageOf(path, now)) > staleAfterMilliseconds
})

/**
 * Two processes may find the same lock stale; without the second lock the slower one would remove the lock that the
 * faster one has taken since. Judging and removing happen under it, so only a lock that is stale *now* goes.
 */
const breakIfStale = Effect.fn("FileLock.breakIfStale")(function* (path: string) {
  if (!(yield* isStale(path))) return
  const breaker = `${path}.break`
  yield* Effect.acquireUseRelease(
    createExclusive(breaker, String(process.pid)),
    (outcome) =>
      outcome === "exists"
        ? Effect.void
        : isStale(path).pipe(Effect.flatMap((stale) => (stale ? removeFileIfExists(path) : Effect.void))),
    (outcome) => (outcome === "exists" ? Effect.void : Effect.ignore(removeFileIfExists(breaker)))
  )
})

const acquire = Effect.fn("FileLock.acquire")(function* (path: string) {
  const outcome = yield* createExclusive(path, String(process.pid))
  if (outcome === "created") return
  yield* breakIfStale(path)
  const text = yield* readFileIfExists(path)
  return yield* new LockBusy({ path, holder: holderOf(Option.getOrElse(text, () => "")) })
})

const pause = "15 millis"
const patience = 650

/** The pauses may be interrupted; an attempt may not, or its lock file would outlive the interruption. */
const acquireWithin = (path: string, attempts: number): Effect.Effect<void, FileError | LockBusy> =>
  acquire(path).pipe(
    Effect.catchTag("LockBusy", (busy) =>
      attempts <= 1
        ? Effect.fail(busy)
        : Effect.zipRight(Effect.interruptible(Effect.sleep(pause)), acquireWithin(path, attempts - 1))
    )
  )

/** Runs an effect while this process holds the lock at `path`. Waits about ten seconds for a holder that lives. */
export const withFileLock =
  (path: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | FileError | LockBusy, R> =>
    Effect.acquireUseRelease(
      acquireWithin(path, patience),
      () => effect,
      () => Effect.ignore(removeFileIfExists(path))
    )
