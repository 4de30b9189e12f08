/**
 * Starts a child process in a group of its own, and says of one that cannot be started why. What is done with its input
 * and output, and how it is ended, is the business of others.
 */
import { Deferred, Effect } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { constants } from "node:os"
import { resolve } from "node:path"
import { commandNotFound, failedToStart, type ProcessError } from "./ProcessError.ts"

export interface ChildCommand {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The complete environment; a command without a slash is looked up on the `PATH` in it. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface ChildExit {
  /** Of a child that a signal ended: the negative number of the signal, as the reference reports it. */
  readonly exitCode: number
  readonly signal?: NodeJS.Signals
}

export interface SpawnedChild {
  readonly child: ChildProcess
  /** Of the process and of its group. */
  readonly pid: number
  readonly exited: Deferred.Deferred<ChildExit>
  /** It has exited and nobody holds its output open any more. */
  readonly closed: Deferred.Deferred<void>
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null): ChildExit =>
  signal === null ? { exitCode: code ?? 0 } : { exitCode: -constants.signals[signal], signal }

const reasonOf = (spec: ChildCommand, cause: NodeJS.ErrnoException): ProcessError => {
  const { command, cwd = "", env } = spec
  switch (cause.code) {
    case "EACCES":
      return failedToStart(command, "permission denied; it is not an executable file, or a folder on its way is closed")
    case "E2BIG":
      return failedToStart(command, "its arguments and environment are too large; give it large data through stdin")
    case "ENOENT":
      // The system says the same of a command that is not there and of a script whose interpreter is not.
      return command.includes("/") && existsSync(resolve(cwd, command))
        ? failedToStart(command, "the interpreter that its first line names does not exist")
        : commandNotFound(command, env["PATH"])
    default:
      return failedToStart(command, cause.message)
  }
}

/** Checked first, since the system reports a missing working directory as a missing command. */
const checkDirectory = (spec: ChildCommand): Effect.Effect<void, ProcessError> => {
  const { command, cwd } = spec
  if (cwd === undefined) return Effect.void
  return Effect.tryPromise({
    try: () => stat(cwd),
    catch: () => failedToStart(command, `its working directory does not exist: ${cwd}`)
  }).pipe(
    Effect.filterOrFail(
      (found) => found.isDirectory(),
      () => failedToStart(command, `its working directory is not a folder: ${cwd}`)
    ),
    Effect.asVoid
  )
}

const spawnProcess = (spec: ChildCommand, stdin: "pipe" | "ignore"): Effect.Effect<ChildProcess, ProcessError> =>
  Effect.try({
    try: () =>
      spawn(spec.command, spec.args, {
        detached: process.platform !== "win32",
        windowsHide: true,
        env: spec.env,
        ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
        stdio: [stdin, "pipe", "pipe"]
      }),
    // Thrown at once for example for a zero byte in an argument.
    catch: (cause) => (cause instanceof Error ? reasonOf(spec, cause) : failedToStart(spec.command, String(cause)))
  })

/**
 * It runs when the effect ends. `listen` is called as soon as there is a child, before anything can have happened to it.
 * Not interruptible half-way.
 */
export const spawnChild = (
  spec: ChildCommand,
  stdin: "pipe" | "ignore",
  listen: (child: ChildProcess) => void
): Effect.Effect<SpawnedChild, ProcessError> =>
  Effect.gen(function* () {
    yield* checkDirectory(spec)
    const exited = yield* Deferred.make<ChildExit>()
    const closed = yield* Deferred.make<void>()
    const child = yield* spawnProcess(spec, stdin)
    child.once("exit", (code, signal) => Deferred.unsafeDone(exited, Effect.succeed(exitOf(code, signal))))
    child.once("close", () => Deferred.unsafeDone(closed, Effect.void))
    listen(child)
    const pid = yield* Effect.async<number, ProcessError>((resume) => {
      child.once("spawn", () => resume(Effect.succeed(child.pid ?? 0)))
      child.on("error", (cause) => resume(Effect.fail(reasonOf(spec, cause))))
    })
    return { child, pid, exited, closed }
  }).pipe(Effect.uninterruptible)
