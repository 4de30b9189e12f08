/**
 * One child process with a group of its own, its output collected as it comes. It starts and listens; ending it is the
 * business of `ProcessRunner`.
 */
import { Deferred, Effect } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { constants } from "node:os"
import { resolve } from "node:path"
import { BoundedOutput } from "./BoundedOutput.ts"
import { commandNotFound, failedToStart, type ProcessError } from "./ProcessError.ts"

export interface ChildSpec {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The complete environment; a command without a slash is looked up on the `PATH` in it. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Without it the child reads an empty input. */
  readonly stdin?: string
  /** Bytes per stream. */
  readonly maxOutputBytes: number
}

export interface ChildExit {
  /** Of a child that a signal ended: the negative number of the signal, as the reference reports it. */
  readonly exitCode: number
  readonly signal?: NodeJS.Signals
}

export interface RunningChild {
  /** Of the process and of its group. */
  readonly pid: number
  readonly stdout: BoundedOutput
  readonly stderr: BoundedOutput
  readonly exited: Deferred.Deferred<ChildExit>
  /** It has exited and nobody holds its output open any more. */
  readonly closed: Deferred.Deferred<void>
  /** Stops reading, whoever may still write. */
  readonly release: Effect.Effect<void>
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null): ChildExit =>
  signal === null ? { exitCode: code ?? 0 } : { exitCode: -constants.signals[signal], signal }

const reasonOf = (spec: ChildSpec, cause: NodeJS.ErrnoException): ProcessError => {
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
const checkDirectory = (spec: ChildSpec): Effect.Effect<void, ProcessError> => {
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

const checkInput = ({ command, stdin }: ChildSpec): Effect.Effect<void, ProcessError> =>
  stdin === undefined || stdin.isWellFormed()
    ? Effect.void
    : Effect.fail(failedToStart(command, "its stdin holds half a surrogate pair, which UTF-8 cannot express"))

const spawnChild = (spec: ChildSpec): Effect.Effect<ChildProcess, ProcessError> =>
  Effect.try({
    try: () =>
      spawn(spec.command, spec.args, {
        detached: process.platform !== "win32",
        windowsHide: true,
        env: spec.env,
        ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
        stdio: [spec.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"]
      }),
    // Thrown at once for example for a zero byte in an argument.
    catch: (cause) => (cause instanceof Error ? reasonOf(spec, cause) : failedToStart(spec.command, String(cause)))
  })

const listen = (child: ChildProcess, spec: ChildSpec) =>
  Effect.gen(function* () {
    const exited = yield* Deferred.make<ChildExit>()
    const closed = yield* Deferred.make<void>()
    const stdout = new BoundedOutput(spec.maxOutputBytes)
    const stderr = new BoundedOutput(spec.maxOutputBytes)
    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk))
    child.once("exit", (code, signal) => Deferred.unsafeDone(exited, Effect.succeed(exitOf(code, signal))))
    child.once("close", () => Deferred.unsafeDone(closed, Effect.void))
    // A child may exit without reading its input: that is its right, and its exit code tells the rest.
    child.stdin?.on("error", () => {})
    child.stdin?.end(spec.stdin, "utf8")
    const release = Effect.sync(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    })
    const pid = yield* Effect.async<number, ProcessError>((resume) => {
      child.once("spawn", () => resume(Effect.succeed(child.pid ?? 0)))
      child.on("error", (cause) => resume(Effect.fail(reasonOf(spec, cause))))
    })
    return { pid, stdout, stderr, exited, closed, release } satisfies RunningChild
  })

/** Starts the child; it runs when the effect ends. Not interruptible half-way. */
export const startChild = (spec: ChildSpec): Effect.Effect<RunningChild, ProcessError> =>
  checkInput(spec).pipe(
    Effect.zipRight(checkDirectory(spec)),
    Effect.zipRight(spawnChild(spec)),
    Effect.flatMap((child) => listen(child, spec)),
    Effect.uninterruptible
  )
