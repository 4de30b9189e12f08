/**
 * Starts the detached process of a run and proves that it runs: ends when the process says that its start is on disk, or
 * with the process's own reason. It must stay light: it never loads the language or the engine.
 */
import { Context, Effect, Exit, Option, type Duration } from "effect"
import { open, type FileHandle } from "node:fs/promises"
import { Home } from "../platform/Home.ts"
import { RunCustody } from "./RunCustody.ts"
import { RunEntry } from "./RunEntry.ts"
import { LaunchError, type RunStoreError } from "./RunErrors.ts"
import { startRunProcess, type ProcessEnd, type RunProcess } from "./RunProcess.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"

/** How long a process may take until its first event is on disk. */
export class StartTimeout extends Context.Reference<StartTimeout>()("conductor/StartTimeout", {
  defaultValue: (): Duration.DurationInput => "30 seconds"
}) {}

/** Bytes, of which the last characters are told. */
const logTail = 8_000
const toldCharacters = 2_000

const readTail = async (handle: FileHandle): Promise<string> => {
  const { size } = await handle.stat()
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(logTail), 0, logTail, Math.max(0, size - logTail))
  return buffer.toString("utf8", 0, bytesRead).trim().slice(-toldCharacters)
}

/** What the process wrote last to a stream; nothing when that cannot be read. */
const tailOf = (path: string): Effect.Effect<string> =>
  Effect.acquireUseRelease(
    Effect.tryPromise(() => open(path, "r")),
    (handle) => Effect.tryPromise(() => readTail(handle)),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(Effect.orElseSucceed(() => ""))

const describe = (end: ProcessEnd): string => {
  if (end._tag === "NotStarted") return `could not be started: ${end.reason}`
  return end.signal === null ? `exited with code ${end.code}` : `was ended by ${end.signal}`
}

/** A process that closed the pipe ends; one that does not is no run, and is killed by whoever waits for it. */
const ending = (child: RunProcess): Effect.Effect<ProcessEnd> =>
  Effect.timeoutTo(child.ended, {
    duration: "2 seconds",
    onSuccess: (end) => end,
    onTimeout: (): ProcessEnd => ({ _tag: "NotStarted", reason: "it closed its handshake pipe without a word" })
  })

const storage = ({ message }: RunStoreError) => new LaunchError({ reason: "storage", message })

/** Starts the process for the run of a spec, with flags for the verb `__run`. Interrupting it, or a failure, leaves no process. */
export const makeProvenStart = Effect.gen(function* () {
  const { root } = yield* Home
  const entry = yield* RunEntry
  const store = yield* RunStore
  const custody = yield* RunCustody
  const timeout = yield* StartTimeout

  const processFailure = Effect.fnUntraced(function* ({ run_id }: RunSpec, what: string) {
    const logs = yield* tailOf(store.files(run_id).stderr)
    const lastWords = logs === "" ? "It wrote nothing." : `Its last words:\n${logs}`
    return yield* new LaunchError({
      reason: "process",
      message: `The process of the run ${what} before the run had started. ${lastWords}`,
      ...(logs === "" ? {} : { logs })
    })
  })

  const awaitStart = Effect.fnUntraced(function* (spec: RunSpec, child: RunProcess) {
    const answer = yield* Effect.timeoutOption(child.handshake, timeout)
    if (Option.isNone(answer)) return yield* processFailure(spec, "said nothing for too long and was stopped")
    const handshake = answer.value
    if (Option.isNone(handshake)) return yield* processFailure(spec, describe(yield* ending(child)))
    if (!handshake.value.ok) return yield* new LaunchError(handshake.value)
  })

  const startProcess = (spec: RunSpec, flags: ReadonlyArray<string>) =>
    Effect.mapError(
      startRunProcess({
        command: entry.command,
        args: [...entry.args, "__run", store.files(spec.run_id).directory, ...flags],
        directory: spec.launch_directory,
        home: root,
        files: store.files(spec.run_id)
      }),
      storage
    )

  const letGo = (spec: RunSpec, child: RunProcess, exit: Exit.Exit<void, LaunchError>) =>
    Exit.isSuccess(exit)
      ? child.release
      : child.kill.pipe(Effect.zipRight(custody.reap(spec.run_id)), Effect.zipRight(child.release))

  return (spec: RunSpec, flags: ReadonlyArray<string> = []) =>
    Effect.acquireUseRelease(
      startProcess(spec, flags),
      (child) => awaitStart(spec, child),
      (child, exit) => letGo(spec, child, exit)
    )
})
