/**
 * Runs one command to its end, without a shell. Nothing that the command started in its process group is alive when
 * `run` ends; a command that is interrupted or out of time takes everything with it, daemons included.
 */
import { Context, Duration, Effect, Exit, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { startChild, type RunningChild } from "./ProcessChild.ts"
import { ProcessError, timedOut } from "./ProcessError.ts"
import { makeProcessGuard, type ProcessGuard } from "./ProcessGuard.ts"
import { MARKER_VARIABLE, mintMarker } from "./ProcessMarker.ts"
import { terminate } from "./ProcessTermination.ts"
import type { ChildExit } from "./SpawnChild.ts"

export interface ProcessSpec {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The complete environment of the child; a command without a slash is looked up on the `PATH` in it. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Written as UTF-8, then closed. Without it the child reads an empty input, never ours. */
  readonly stdin?: string
  readonly timeout?: Duration.Duration
  /** Per stream; what is beyond is read, counted and dropped. 64 MiB unless said otherwise. */
  readonly maxOutputBytes?: number
  /** From TERM to KILL. Five seconds unless said otherwise. */
  readonly killAfter?: Duration.Duration
}

export interface ProcessResult extends ChildExit {
  /** UTF-8, with U+FFFD for what is not. */
  readonly stdout: string
  readonly stderr: string
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const KILL_AFTER = Duration.seconds(5)

/**
 * How long output may stay open after the command itself has exited: enough for a helper like `>(tee log)` to write its
 * last lines, and an end for a server that was left in the background (the reference would wait for it for ever).
 */
const CLOSE_LIMIT = Duration.seconds(2)

interface Finished extends ProcessResult {
  readonly outputHeld: boolean
}

const finish = Effect.fnUntraced(function* (child: RunningChild, { command, timeout }: ProcessSpec) {
  const exit = yield* timeout === undefined
    ? child.exited
    : Effect.timeoutFail(child.exited, {
        duration: timeout,
        onTimeout: () => timedOut(command, Duration.toSeconds(timeout))
      })
  const closed = yield* Effect.timeoutOption(child.closed, CLOSE_LIMIT)
  return {
    ...exit,
    stdout: child.stdout.text(),
    stderr: child.stderr.text(),
    outputHeld: closed._tag === "None"
  } satisfies Finished
})

/**
 * After a normal exit the rest of the process group ends. A process that took a session of its own and let go of the
 * step's output is a daemon on purpose and may stay; one that still holds the output is a leftover and goes as well.
 */
const leavesDaemons = (exit: Exit.Exit<Finished, ProcessError>): boolean =>
  Exit.isSuccess(exit) && !exit.value.outputHeld

const runWith = (guard: ProcessGuard, runId: string) =>
  Effect.fn("ProcessRunner.run")(function* (spec: ProcessSpec) {
    const marker = mintMarker(runId)
    const start = Effect.gen(function* () {
      yield* guard.watch
      const child = yield* startChild({
        ...spec,
        env: { ...spec.env, [MARKER_VARIABLE]: marker },
        maxOutputBytes: spec.maxOutputBytes ?? MAX_OUTPUT_BYTES
      })
      yield* guard.add(child.pid)
      return child
    })
    const stop = Effect.fnUntraced(function* (child: RunningChild, exit: Exit.Exit<Finished, ProcessError>) {
      const target = { group: child.pid, ...(leavesDaemons(exit) ? {} : { marker }) }
      yield* terminate(target, spec.killAfter ?? KILL_AFTER)
      // A moment for the system to tell that it is gone, so that no zombie is left when this ends.
      yield* child.exited.pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
      yield* child.release
      yield* guard.remove(child.pid)
    })
    const { outputHeld: _, ...result } = yield* Effect.acquireUseRelease(start, (child) => finish(child, spec), stop)
    return result
  })

export class ProcessRunner extends Context.Tag("conductor/ProcessRunner")<
  ProcessRunner,
  {
    /** A non-zero exit code is a result, not an error. */
    readonly run: (spec: ProcessSpec) => Effect.Effect<ProcessResult, ProcessError>
  }
>() {
  /** `runId` lets the processes of a run be found from outside (`ProcessMarker.findByRun`). */
  static readonly layer = (options: { readonly runId?: string } = {}): Layer.Layer<ProcessRunner> =>
    Layer.scoped(
      ProcessRunner,
      Effect.gen(function* () {
        const runId = options.runId ?? `process-${randomBytes(5).toString("hex")}`
        const guard = yield* makeProcessGuard(runId)
        return { run: runWith(guard, runId) }
      })
    )

  /** For tests: every command is answered by the handler and nothing is started. */
  static readonly layerScripted = (
    handler: (spec: ProcessSpec) => Effect.Effect<ProcessResult, ProcessError>
  ): Layer.Layer<ProcessRunner> => Layer.succeed(ProcessRunner, { run: handler })
}
