/**
 * The process of a run: it reads what it was asked to do, says who it is, runs, and ends when the log does. Its faces to
 * the world are files, one handshake line and signals; it must not write to stdout.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Cause, Console, DateTime, Deferred, Effect, Fiber, Layer, Option, Schema } from "effect"
import { closeSync, writeSync } from "node:fs"
import { basename, resolve } from "node:path"
import { hidingOnConsole } from "../boundary/HidingConsole.ts"
import { RunId } from "../domain/RunId.ts"
import type { EventSinkError } from "../engine/EventSink.ts"
import { flushCodeCache } from "../platform/CodeCache.ts"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { identify } from "../platform/ProcessIdentity.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import * as RegistriesOfRun from "../registries/RegistriesOfRun.ts"
import { cancelRequested } from "./CancelRequest.ts"
import { EventLog } from "./EventLog.ts"
import * as FileEventLog from "./FileEventLog.ts"
import * as FileRunInbox from "./FileRunInbox.ts"
import * as FileRunStore from "./FileRunStore.ts"
import { handshakeDescriptor, HandshakeLine, type Handshake } from "./Handshake.ts"
import { processStopped } from "./HostSignals.ts"
import { resumeOptions } from "./ResumeFlags.ts"
import { claimRun } from "./RunClaim.ts"
import * as RunCustody from "./RunCustody.ts"
import { LaunchError, type RunNotFound, type RunStoreError } from "./RunErrors.ts"
import { type InboxPast, RunInbox } from "./RunInbox.ts"
import { RunIndex } from "./RunIndex.ts"
import * as RunProjection from "./RunProjection.ts"
import { hidingWriter, presentSecrets } from "./RunSecrets.ts"
import { runSession } from "./RunSession.ts"
import type { ResumeOptions } from "./RunResumption.ts"
import { RunStore } from "./RunStore.ts"
import * as SqlRunIndex from "./SqlRunIndex.ts"
import { engineLayer } from "./HostedEngine.ts"
import { prepareHosted } from "./HostedRun.ts"

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

const claim = Effect.fnUntraced(function* (runId: RunId, launched_at: string) {
  const self = yield* identify(process.pid)
  if (self === undefined) return yield* Effect.dieMessage("The process of a run cannot find itself")
  yield* claimRun(runId, { process: self, launched_at })
})

/**
 * What was said to earlier processes of the run. A wish to cancel was one for that process alone, and until the run is claimed
 * nobody sees that it goes on.
 */
const inboxPast = Effect.fnUntraced(function* (runId: RunId) {
  const previous = yield* Effect.flatMap(RunStore, (store) => store.process(runId))
  if (Option.isNone(previous)) return { messages: [], end: 0 } satisfies InboxPast
  return yield* Effect.flatMap(RunInbox, (inbox) => inbox.past(runId, 0))
})

const storage = (error: RunStoreError | RunNotFound) => new LaunchError({ reason: "storage", message: error.message })

/** From the first look at the folder to the last event on disk. */
const perform = Effect.fn("RunHost.perform")(
  function* (runId: RunId, { acceptChange, groups }: ResumeOptions) {
    const past = yield* inboxPast(runId)
    // Nobody knows a run that has not started, so nobody can have asked yet to cancel it.
    const started = yield* Deferred.make<void>()
    const cancelled = Effect.zipRight(Deferred.await(started), cancelRequested(runId, past.end))
    const stop = yield* Effect.fork(Effect.raceFirst(processStopped, cancelled))
    const startedAt = DateTime.formatIso(yield* DateTime.now)
    yield* claim(runId, startedAt)
    const prepared = yield* prepareHosted(runId, acceptChange ? "present" : "pinned", startedAt)

    const { spill } = yield* Effect.map(RunStore, (store) => store.files(runId))
    const people = Layer.succeed(RunInbox, yield* RunInbox)
    const runner = Layer.succeed(ProcessRunner, yield* ProcessRunner)
    const indexing = yield* Effect.context<RunProjection.RunProjection | RunIndex>()
    const log = yield* EventLog
    const end = yield* Effect.flatMap(log.write(runId), (writer) =>
      runSession({
        request: { ...prepared.request, groups },
        writer: hidingWriter(writer, prepared.secrets),
        engine: engineLayer(runId, prepared, { past, spill }).pipe(Layer.provide(people), Layer.provide(runner)),
        onStarted: send({ ok: true }).pipe(
          Effect.zipRight(Deferred.succeed(started, undefined)),
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

const services = (runId: RunId, home: string) => {
  const files = Layer.mergeAll(FileRunStore.layer, FileEventLog.layer, FileRunInbox.layer, SqlRunIndex.layer)
  return RunProjection.layer.pipe(
    Layer.provideMerge(RunCustody.layer),
    Layer.provideMerge(files),
    Layer.merge(RegistriesOfRun.layer),
    Layer.provide(Home.layerAt(home)),
    Layer.provideMerge(ProcessRunner.layer({ runId })),
    Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Environment.layerProcess))
  )
}

/** What the process says is kept in files of the run. */
const hidingSecrets = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(presentSecrets, ({ hideText }) => hidingOnConsole(hideText)(program))

/**
 * `folder`: the folder of the run, absolute, `<home>/store/runs/<run id>`. A run whose log holds events goes on from them.
 * Ends the process: 0 when the run completed.
 */
export const runHost = (folder: string, flags: ReadonlyArray<string>): void => {
  const runId = RunId.make(basename(folder))
  const home = resolve(folder, "..", "..", "..")
  const program = perform(runId, resumeOptions(flags)).pipe(
    Effect.map((end) => (end._tag === "Completed" ? 0 : 1)),
    Effect.tapError(reportFailure),
    Effect.tapDefect((cause) => send({ ok: false, reason: "process", message: Cause.pretty(cause) })),
    Effect.provide(services(runId, home)),
    Effect.catchAllCause((cause) => Effect.as(Console.error(Cause.pretty(cause)), 1))
  )
  void Effect.runPromise(hidingSecrets(program)).then((code) => {
    flushCodeCache()
    process.exit(code)
  })
}
