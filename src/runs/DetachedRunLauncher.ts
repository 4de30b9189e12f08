/**
 * Starts each run as a detached process. It must stay light: it never loads the language or the engine, since every call
 * of a tool waits for it. What is wrong with a workflow is found, and told, by the process of the run.
 */
import { Effect, Exit, Layer } from "effect"
import type { Home } from "../platform/Home.ts"
import { EventLog } from "./EventLog.ts"
import { checkLaunch } from "./LaunchCheck.ts"
import { Retention } from "./Retention.ts"
import { makeProvenStart } from "./ProvenStart.ts"
import type { RunCustody } from "./RunCustody.ts"
import type { RunEntry } from "./RunEntry.ts"
import { aboutRun, LaunchError, type RunStoreError } from "./RunErrors.ts"
import { RunLauncher } from "./RunLauncher.ts"
import { RunMonitor } from "./RunMonitor.ts"
import { presentSecrets } from "./RunSecrets.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"

const storage = ({ message }: RunStoreError) => new LaunchError({ reason: "storage", message })

const make = Effect.gen(function* () {
  const store = yield* RunStore
  const log = yield* EventLog
  const monitor = yield* RunMonitor
  const retention = yield* Retention
  const start = yield* makeProvenStart

  const hasEvents = (spec: RunSpec) =>
    log.read(spec.run_id, 0).pipe(
      Effect.map(({ events }) => events.length > 0),
      Effect.orElseSucceed(() => false)
    )

  /** A run that has written events has happened, so it stays where it can be looked at, under its name. */
  const named = (spec: RunSpec) => (error: LaunchError) =>
    Effect.flatMap(hasEvents(spec), (happened) => Effect.fail(happened ? aboutRun(error, spec.run_id) : error))

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
      // The process of the run gets the environment of this one as it is now, and restores from it what is hidden here.
      const { draft, workflow } = yield* checkLaunch(request, yield* presentSecrets)
      const spec = yield* Effect.acquireUseRelease(
        Effect.mapError(store.create(draft, workflow), storage),
        (created) => start(created).pipe(Effect.catchAll(named(created)), Effect.as(created)),
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
