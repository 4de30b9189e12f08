/**
 * The process of a run: it reads what it was asked to do, says who it is, runs, and ends when the log does. Its faces to
 * the world are files, one handshake line and signals; it must not write to stdout.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Cause, Console, DateTime, Effect, Fiber, Layer, Schema } from "effect"
import { closeSync, writeSync } from "node:fs"
import { basename, resolve } from "node:path"
import { agentProvidersLayer } from "../agents/AgentProvidersLive.ts"
import { RunId } from "../domain/RunId.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { RunRequest } from "../engine/Engine.ts"
import { EngineLive } from "../engine/EngineLive.ts"
import * as FileWorkflowResolver from "../engine/FileWorkflowResolver.ts"
import type { EventSinkError } from "../engine/EventSink.ts"
import { flushCodeCache } from "../platform/CodeCache.ts"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { identify } from "../platform/ProcessIdentity.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import { cancelRequested } from "./CancelRequest.ts"
import { EventLog } from "./EventLog.ts"
import * as FileEventLog from "./FileEventLog.ts"
import * as FileRunInbox from "./FileRunInbox.ts"
import * as FileRunStore from "./FileRunStore.ts"
import { handshakeDescriptor, HandshakeLine, type Handshake } from "./Handshake.ts"
import { processStopped } from "./HostSignals.ts"
import * as InboxPeople from "./InboxPeople.ts"
import { prepareRun } from "./PrepareRun.ts"
import * as RunCustody from "./RunCustody.ts"
import { LaunchError, type RunNotFound, type RunStoreError } from "./RunErrors.ts"
import { RunInbox } from "./RunInbox.ts"
import { RunIndex } from "./RunIndex.ts"
import * as RunProjection from "./RunProjection.ts"
import { runSession } from "./RunSession.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"
import * as SqlRunIndex from "./SqlRunIndex.ts"

/** Whoever started the run may be gone by now, which changes nothing for the run. */
const send = (handshake: Handshake) =>
  Effect.flatMap(Effect.orDie(Schema.encode(HandshakeLine)(handshake)), (line) =>
    Effect.ignore(
      Effect.try(() => {
        writeSync(handshakeDescriptor, `${line}\n`)
        // Closed at once, so that no command of the run inherits it.
        closeSync(handshakeDescriptor)
      })
    )
  )

const systemFacts = (spec: RunSpec, startedAt: string): ValueMap => ({
  pid: process.pid,
  platform: process.platform,
  node_version: process.version,
  cwd: process.cwd(),
  started_at: startedAt,
  run_id: spec.run_id
})

const engineLayer = (runId: RunId, { plan }: RunRequest) =>
  EngineLive.pipe(
    Layer.provide([
      InboxPeople.layer(runId),
      agentProvidersLayer(plan.runtime, process.env),
      ProcessRunner.layer({ runId }),
      FileWorkflowResolver.layer,
      Environment.layerProcess
    ]),
    Layer.provide([NodeFileSystem.layer, NodePath.layer, Environment.layerProcess])
  )

/** The index only makes lists quicker; an update that fails is made up for by whoever lists. */
const updateIndex = Effect.fnUntraced(
  function* (runId: RunId) {
    const projection = yield* RunProjection.RunProjection
    const index = yield* RunIndex
    const { indexed } = yield* projection.project(runId, Effect.succeedNone)
    yield* index.put([indexed])
  },
  (update) => Effect.catchAllCause(Effect.timeout(update, "5 seconds"), () => Effect.void)
)

/** An index that was put aside here is found in order by all others, so nobody else can tell of it. */
const tellOfIndex = Effect.gen(function* () {
  const index = yield* RunIndex
  yield* Effect.forEach(yield* index.notices, (notice) => Console.error(notice), { discard: true })
})

const recordProcess = Effect.fnUntraced(function* (runId: RunId, launched_at: string) {
  const store = yield* RunStore
  const self = yield* identify(process.pid)
  if (self === undefined) return yield* Effect.dieMessage("The process of a run cannot find itself")
  yield* store.recordProcess(runId, { process: self, launched_at })
})

const storage = (error: RunStoreError | RunNotFound) => new LaunchError({ reason: "storage", message: error.message })

/** From the first look at the folder to the last event on disk. */
const perform = Effect.fn("RunHost.perform")(
  function* (runId: RunId) {
    const stop = yield* Effect.fork(Effect.raceFirst(processStopped, cancelRequested(runId)))
    const startedAt = DateTime.formatIso(yield* DateTime.now)
    yield* recordProcess(runId, startedAt)
    const store = yield* RunStore
    const spec = yield* store.spec(runId)
    const { included, request } = yield* prepareRun(spec, systemFacts(spec, startedAt))
    yield* store.pin(runId, included)

    const people = Layer.succeed(RunInbox, yield* RunInbox)
    const indexing = yield* Effect.context<RunProjection.RunProjection | RunIndex>()
    const log = yield* EventLog
    const end = yield* Effect.flatMap(log.write(runId), (writer) =>
      runSession({
        request,
        writer,
        engine: Layer.provide(engineLayer(runId, request), people),
        onStarted: send({ ok: true }).pipe(
          Effect.zipRight(Effect.forkDaemon(Effect.interruptible(Effect.provide(updateIndex(runId), indexing)))),
          Effect.asVoid
        ),
        stopRequested: Fiber.join(stop)
      })
    ).pipe(Effect.scoped)
    yield* updateIndex(runId)
    yield* tellOfIndex
    return end
  },
  Effect.catchTags({ RunStoreError: storage, RunNotFound: storage })
)

const reportFailure = (error: LaunchError | EventSinkError) => {
  const reason = error._tag === "LaunchError" ? error.reason : "storage"
  return Effect.zipRight(Console.error(error.message), send({ ok: false, reason, message: error.message }))
}

const services = (home: string) => {
  const files = Layer.mergeAll(FileRunStore.layer, FileEventLog.layer, FileRunInbox.layer, SqlRunIndex.layer)
  return RunProjection.layer.pipe(
    Layer.provideMerge(RunCustody.layer),
    Layer.provideMerge(files),
    Layer.provide(Home.layerAt(home)),
    Layer.merge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Environment.layerProcess))
  )
}

/** `folder`: the folder of the run, absolute, `<home>/store/runs/<run id>`. Ends the process: 0 when the run completed. */
export const runHost = (folder: string): void => {
  const runId = RunId.make(basename(folder))
  const home = resolve(folder, "..", "..", "..")
  const program = perform(runId).pipe(
    Effect.map((end) => (end._tag === "Completed" ? 0 : 1)),
    Effect.tapError(reportFailure),
    Effect.tapDefect((cause) => send({ ok: false, reason: "process", message: Cause.pretty(cause) })),
    Effect.provide(services(home)),
    Effect.catchAllCause((cause) => Effect.as(Console.error(Cause.pretty(cause)), 1))
  )
  void Effect.runPromise(program).then((code) => {
    flushCodeCache()
    process.exit(code)
  })
}
