/**
 * A child process that is spoken to through its pipes as long as a scope lasts. It has a group, a marker and a guard like
 * the commands of `ProcessRunner`: nothing of it is alive when the scope has closed, or when this process was killed.
 */
import { Console, Deferred, Effect, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { failedToStart, type ProcessError } from "./ProcessError.ts"
import type { ProcessGuard } from "./ProcessGuard.ts"
import { MARKER_VARIABLE, mintMarker } from "./ProcessMarker.ts"
import { terminate } from "./ProcessTermination.ts"
import { spawnChild, type ChildCommand, type ChildExit } from "./SpawnChild.ts"

export interface ServerProcess {
  readonly input: Writable
  readonly output: Readable
  readonly exited: Deferred.Deferred<ChildExit>
  /** The end of what it has written to stderr, which goes to our console. */
  readonly lastErrors: Effect.Effect<string>
}

/** From the end of its input to TERM, and from TERM to KILL. */
const LEAVE_LIMIT = "500 millis"
const KILL_AFTER = "2 seconds"

const MAX_ERRORS = 2000

/** Characters that wait for the end of their line. */
const MAX_WAITING = 65_536

/** The end of a text from the beginning of a line on, or of a word: nobody can tell what half of one was. */
const endOf = (text: string): string => {
  if (text.length <= MAX_ERRORS) return text
  const end = text.slice(-MAX_ERRORS)
  return end.slice((/\n/.exec(end) ?? /\s/.exec(end))?.index ?? MAX_ERRORS)
}

/** Passes everything on in whole lines, as many at once as there are, and remembers the end of it. */
const collectErrors = (pass: (lines: string) => void) => {
  let waiting = ""
  let all = ""
  const passUntil = (end: number): void => {
    const lines = waiting.slice(0, end)
    waiting = waiting.slice(end + 1)
    if (lines !== "") pass(lines)
  }
  return {
    listen: ({ stderr }: ChildProcess): void => {
      stderr
        ?.setEncoding("utf8")
        .on("data", (text: string) => {
          all = (all + text).slice(-2 * MAX_ERRORS)
          waiting += text
          const end = waiting.lastIndexOf("\n")
          if (end !== -1) passUntil(end)
          else if (waiting.length > MAX_WAITING) passUntil(waiting.length)
        })
        .on("close", () => passUntil(waiting.length))
    },
    last: Effect.sync(() => endOf(all).toWellFormed().trim())
  }
}

/** A server that reads the end of its input leaves by itself; what does not is ended with all that it has started. */
const stop = Effect.fn("ServerProcess.stop")(function* (
  { child, exited, pid }: Effect.Effect.Success<ReturnType<typeof spawnChild>>,
  marker: string
) {
  yield* Effect.sync(() => child.stdin?.end())
  yield* Deferred.await(exited).pipe(Effect.interruptible, Effect.timeoutOption(LEAVE_LIMIT))
  yield* terminate({ group: pid, marker }, KILL_AFTER)
  yield* Effect.sync(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  })
})

/** `guard` and `runId` are those of the run whose process this is. */
export const startServerProcess = (
  command: ChildCommand,
  guard: ProcessGuard,
  runId: string
): Effect.Effect<ServerProcess, ProcessError, Scope.Scope> =>
  Effect.gen(function* () {
    const marker = mintMarker(runId)
    const console = yield* Console.consoleWith(Effect.succeed)
    const errors = collectErrors((lines) => console.unsafe.error(lines))
    const start = Effect.gen(function* () {
      yield* guard.watch
      const spawned = yield* spawnChild(
        { ...command, env: { ...command.env, [MARKER_VARIABLE]: marker } },
        "pipe",
        (child) => {
          errors.listen(child)
          // It may end while it is written to; its exit says so.
          child.stdin?.on("error", () => {})
          child.stdout?.on("error", () => {})
        }
      )
      yield* guard.add(spawned.pid)
      return spawned
    })
    const { child, exited } = yield* Effect.acquireRelease(start, (spawned) =>
      Effect.zipRight(stop(spawned, marker), guard.remove(spawned.pid))
    )
    if (child.stdin === null || child.stdout === null) {
      return yield* failedToStart(command.command, "it has no pipes")
    }
    return { input: child.stdin, output: child.stdout, exited, lastErrors: errors.last }
  })
