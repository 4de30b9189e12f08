/**
 * Starts each run as a detached process. It must stay light: it never loads the language or the engine, since every call
 * of a tool waits for it. What is wrong with a workflow is found, and told, by the process of the run.
 */
import { Context, Effect, Exit, Layer, Option, type Duration } from "effect"
import { open, type FileHandle } from "node:fs/promises"
import { Home } from "../platform/Home.ts"
import { EventLog } from "./EventLog.ts"
import { checkLaunch } from "./LaunchCheck.ts"
import { Retention } from "./Retention.ts"
import { RunCustody } from "./RunCustody.ts"
import { RunEntry } from "./RunEntry.ts"
import { LaunchError, type RunStoreError } from "./RunErrors.ts"
import { RunLauncher } from "./RunLauncher.ts"
import { RunMonitor } from "./RunMonitor.ts"
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

const make = Effect.gen(function* () {
  const { root } = yield* Home
  const entry = yield* RunEntry
  const store = yield* RunStore
  const log = yield* EventLog
  const custody = yield* RunCustody
  const monitor = yield* RunMonitor
  const retention = yield* Retention
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

  const startProcess = (spec: RunSpec) =>
    Effect.mapError(
      startRunProcess({
        command: entry.command,
        args: [...entry.args, "__run", store.files(spec.run_id).directory],
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

  const hasEvents = (spec: RunSpec) =>
    log.read(spec.run_id, 0).pipe(
      Effect.map(({ events }) => events.length > 0),
      Effect.orElseSucceed(() => false)
    )

  /** A run that has written events has happened, so it stays where it can be looked at, under its name. */
  const named = (spec: RunSpec) => (error: LaunchError) =>
    Effect.flatMap(hasEvents(spec), (happened) =>
      Effect.fail(happened ? new LaunchError({ ...error, runId: spec.run_id }) : error)
    )

  const abandon = (spec: RunSpec, exit: Exit.Exit<unknown, LaunchError>) =>
    Exit.isInterrupted(exit)
      ? Effect.ignore(store.remove(spec.run_id))
      : Effect.flatMap(hasEvents(spec), (happened) =>
          happened ? Effect.void : Effect.ignore(store.remove(spec.run_id))
        )

  const clearUp = Effect.flatMap(retention.enforce, ({ warnings }) =>
    Effect.forEach(warnings, (warning) => Effect.logWarning(warning), { discard: true })
  )

  return RunLauncher.of({
    launch: Effect.fn("RunLauncher.launch")(function* (request) {
      const { draft, workflow } = yield* checkLaunch(request)
      const spec = yield* Effect.acquireUseRelease(
        Effect.mapError(store.create(draft, workflow), storage),
        (created) =>
          Effect.acquireUseRelease(
            startProcess(created),
            (child) => awaitStart(created, child),
            (child, exit) => letGo(created, child, exit)
          ).pipe(Effect.catchAll(named(created)), Effect.as(created)),
        (created, exit) => (Exit.isSuccess(exit) ? Effect.void : abandon(created, exit))
      )
      yield* Effect.forkDaemon(clearUp)
      return yield* Effect.mapError(
        monitor.status(spec.run_id),
        ({ message }) => new LaunchError({ reason: "storage", message, runId: spec.run_id })
      )
    })
  })
})

export const layer: Layer.Layer<
  RunLauncher,
  never,
  Home | RunEntry | RunStore | EventLog | RunCustody | RunMonitor | Retention
> = Layer.effect(RunLauncher, make)
