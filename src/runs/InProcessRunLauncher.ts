/**
 * Starts each run inside this process, with the same engine and the same session as a detached one: for tests, and for
 * programs that want no processes. The runs end with the scope of the layer.
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { makeSecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import type { Engine, RunRequest } from "../engine/Engine.ts"
import * as FileWorkflowResolver from "../engine/FileWorkflowResolver.ts"
import type { EventSink } from "../engine/EventSink.ts"
import { Environment } from "../platform/Environment.ts"
import { LaunchDirectory } from "../platform/LaunchDirectory.ts"
import { cancelRequested } from "./CancelRequest.ts"
import { EventLog } from "./EventLog.ts"
import * as InboxPeople from "./InboxPeople.ts"
import { checkLaunch } from "./LaunchCheck.ts"
import { prepareRun } from "./PrepareRun.ts"
import { LaunchError } from "./RunErrors.ts"
import type { RunInbox } from "./RunInbox.ts"
import { RunLauncher } from "./RunLauncher.ts"
import { RunMonitor } from "./RunMonitor.ts"
import { hidingWriter } from "./RunSecrets.ts"
import { runSession } from "./RunSession.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"

/** An engine for one run. */
export type EngineFor = (request: RunRequest) => Layer.Layer<Engine, never, EventSink>

const storage = ({ message }: { readonly message: string }) =>
  Effect.fail(new LaunchError({ reason: "storage", message }))

const make = (engineFor: EngineFor) =>
  Effect.gen(function* () {
    const store = yield* RunStore
    const log = yield* EventLog
    const monitor = yield* RunMonitor
    const scope = yield* Effect.scope
    const secretsOfCaller = makeSecretPlaceholders((yield* Environment).variables)
    const context = yield* Effect.context<FileSystem | Path | Environment | RunInbox>()

    /** Completes `started` with the first event or with the reason why there is none. */
    const perform = (spec: RunSpec, started: Deferred.Deferred<void, LaunchError>) =>
      Effect.gen(function* () {
        const { included, request, secrets } = yield* Effect.provide(
          prepareRun(spec, { system: { pid: process.pid, run_id: spec.run_id } }),
          FileWorkflowResolver.layer
        )
        yield* store.pin(spec.run_id, included)
        const writer = yield* log.write(spec.run_id)
        return yield* runSession({
          request,
          writer: hidingWriter(writer, secrets),
          engine: engineFor(request).pipe(
            Layer.provide(InboxPeople.layer(spec.run_id, { unheard: [], from: 0 })),
            Layer.provide(Layer.succeed(LaunchDirectory, spec.launch_directory)),
            Layer.provide(Layer.succeedContext(context))
          ),
          onStarted: Effect.asVoid(Deferred.succeed(started, undefined)),
          stopRequested: Effect.provide(cancelRequested(spec.run_id, 0), context)
        })
      }).pipe(
        Effect.scoped,
        Effect.catchTags({ RunStoreError: storage, RunNotFound: storage, EventSinkError: storage }),
        Effect.onExit((exit) =>
          Exit.isFailure(exit) ? Deferred.failCause(started, exit.cause) : Deferred.succeed(started, undefined)
        ),
        Effect.provide(context)
      )

    const start = Effect.fnUntraced(function* (spec: RunSpec) {
      const started = yield* Deferred.make<void, LaunchError>()
      const session = yield* Effect.forkIn(perform(spec, started), scope)
      yield* Effect.onInterrupt(Deferred.await(started), () => Fiber.interrupt(session))
    })

    return RunLauncher.of({
      launch: Effect.fn("RunLauncher.launch")(function* (request) {
        const { draft, workflow } = yield* checkLaunch(request, secretsOfCaller)
        const spec = yield* Effect.acquireUseRelease(
          Effect.catchAll(store.create(draft, workflow), storage),
          (created) => Effect.as(start(created), created),
          (created, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.ignore(store.remove(created.run_id)))
        )
        return yield* Effect.catchAll(monitor.status(spec.run_id), storage)
      })
    })
  })

export const layer = (
  engineFor: EngineFor
): Layer.Layer<RunLauncher, never, RunStore | EventLog | RunMonitor | RunInbox | FileSystem | Path | Environment> =>
  Layer.scoped(RunLauncher, make(engineFor))
