/**
 * One child process with a group of its own, its output collected as it comes. It starts and listens; ending it is the
 * business of `ProcessRunner`.
 */
import { Effect, type Deferred } from "effect"
import type { ChildProcess } from "node:child_process"
import { BoundedOutput } from "./BoundedOutput.ts"
import { failedToStart, type ProcessError } from "./ProcessError.ts"
import { spawnChild, type ChildCommand, type ChildExit } from "./SpawnChild.ts"

interface ChildSpec extends ChildCommand {
  /** Without it the child reads an empty input. */
  readonly stdin?: string
  /** Bytes per stream. */
  readonly maxOutputBytes: number
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

const checkInput = ({ command, stdin }: ChildSpec): Effect.Effect<void, ProcessError> =>
  stdin === undefined || stdin.isWellFormed()
    ? Effect.void
    : Effect.fail(failedToStart(command, "its stdin holds half a surrogate pair, which UTF-8 cannot express"))

/** Starts the child; it runs when the effect ends. Not interruptible half-way. */
export const startChild = (spec: ChildSpec): Effect.Effect<RunningChild, ProcessError> =>
  Effect.gen(function* () {
    yield* checkInput(spec)
    const stdout = new BoundedOutput(spec.maxOutputBytes)
    const stderr = new BoundedOutput(spec.maxOutputBytes)
    const listen = (child: ChildProcess): void => {
      child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk))
      child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk))
      // A child may exit without reading its input: that is its right, and its exit code tells the rest.
      child.stdin?.on("error", () => {})
      child.stdin?.end(spec.stdin, "utf8")
    }
    const { child, closed, exited, pid } = yield* spawnChild(spec, spec.stdin === undefined ? "ignore" : "pipe", listen)
    const release = Effect.sync(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    })
    return { pid, stdout, stderr, exited, closed, release } satisfies RunningChild
  }).pipe(Effect.uninterruptible)
