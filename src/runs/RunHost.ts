/**
 * The process of a run: it reads what it was asked to do, says who it is, runs, and ends when the log does. Its faces to
 * the world are files, one handshake line and signals; it must not write to stdout.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { FileSystem } from "@effect/platform/FileSystem"
import { Cause, Console, DateTime, Deferred, Effect, Fiber, Layer, Option, Schema } from "effect"
import { closeSync, writeSync } from "node:fs"
import { basename, resolve } from "node:path"
import { agentProvidersLayer } from "../agents/AgentProvidersLive.ts"
import { hidingOnConsole } from "../boundary/HidingConsole.ts"
import { makeSecretPlaceholders, type SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import { isNested, type RunEvent } from "../domain/RunEvent.ts"
import { RunId } from "../domain/RunId.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { RunRequest } from "../engine/Engine.ts"
import { EngineLive } from "../engine/EngineLive.ts"
import * as FileWorkflowResolver from "../engine/FileWorkflowResolver.ts"
import type { EventSinkError } from "../engine/EventSink.ts"
import { WorkflowResolver } from "../engine/WorkflowResolver.ts"
import { flushCodeCache } from "../platform/CodeCache.ts"
import { Environment } from "../platform/Environment.ts"
import { Home } from "../platform/Home.ts"
import { identify } from "../platform/ProcessIdentity.ts"
import { ProcessRunner } from "../platform/ProcessRunner.ts"
import * as RegistriesOfRun from "../registries/RegistriesOfRun.ts"
import * as ToolServersLive from "../tools/ToolServersLive.ts"
import * as ToolSpill from "../tools/ToolSpill.ts"
import { cancelRequested } from "./CancelRequest.ts"
import { EventLog } from "./EventLog.ts"
import * as FileEventLog from "./FileEventLog.ts"
import * as FileRunInbox from "./FileRunInbox.ts"
import * as FileRunStore from "./FileRunStore.ts"
import { handshakeDescriptor, HandshakeLine, type Handshake } from "./Handshake.ts"
import { processStopped } from "./HostSignals.ts"
import * as InboxPeople from "./InboxPeople.ts"
import { withPinnedFiles } from "./PinnedFileSystem.ts"
import { readPinnedCopy } from "./PinnedCopy.ts"
import { prepareRun } from "./PrepareRun.ts"
import { claimRun } from "./RunClaim.ts"
import * as RunCustody from "./RunCustody.ts"
import { LaunchError, type RunNotFound, type RunStoreError } from "./RunErrors.ts"
import { readHistory } from "./RunHistory.ts"
import { type InboxPast, RunInbox } from "./RunInbox.ts"
import { RunIndex } from "./RunIndex.ts"
import * as RunProjection from "./RunProjection.ts"
import { hidingWriter } from "./RunSecrets.ts"
import { runSession } from "./RunSession.ts"
import type { RunSpec } from "./RunSpec.ts"
import { acceptChangeFlag } from "./RunEntry.ts"
import { RunStore } from "./RunStore.ts"
import * as SqlRunIndex from "./SqlRunIndex.ts"
import { unheardGuidance } from "./UnheardGuidance.ts"
import { presentPins } from "./WorkflowPins.ts"

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

interface Prepared {
  readonly request: RunRequest
  readonly secrets: SecretPlaceholders
  /** As the run sees them. */
  readonly files: FileSystem
  readonly resolver: WorkflowResolver["Type"]
}

/** What was said to the run before, and the folder for what is too long for a model. */
interface Surroundings {
  readonly past: InboxPast
  readonly spill: string
}

const engineLayer = (runId: RunId, { files, request, resolver, secrets }: Prepared, { past, spill }: Surroundings) =>
  EngineLive.pipe(
    Layer.provide([
      InboxPeople.layer(runId, {
        unheard: unheardGuidance(runId, past.messages, request.history ?? []),
        from: past.end
      }),
      agentProvidersLayer(request.plan.runtime, process.env),
      ToolServersLive.layer({ runId }),
      ToolSpill.layerFiles(spill, secrets.hideText),
      Layer.succeed(WorkflowResolver, resolver),
      Layer.succeed(FileSystem, files)
    ]),
    Layer.provide([Environment.layerProcess, NodePath.layer])
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

/** Which files a run that has a history goes on with: the copy that it keeps, or the originals as they are now. */
type WorkflowChoice = "pinned" | "present"

/** A log may well be cut off behind the end of a sub-workflow. */
const hasCompleted = (history: ReadonlyArray<RunEvent>): boolean => {
  const last = history.at(-1)
  return last?.type === "workflow_completed" && !isNested(last)
}

const alreadyCompleted = (runId: RunId) =>
  new LaunchError({ reason: "process", message: `Run ${runId} has completed meanwhile.`, runId })

/** Loads the workflow with all that it is made of, and keeps copies of what the run has no copy of yet. */
const prepare = Effect.fnUntraced(function* (runId: RunId, choice: WorkflowChoice, startedAt: string) {
  const store = yield* RunStore
  const real = yield* FileSystem
  const spec = yield* store.spec(runId)
  const told = { system: systemFacts(spec, startedAt), logFile: store.files(runId).events }
  const history = yield* readHistory(runId)
  if (hasCompleted(history)) return yield* alreadyCompleted(runId)
  if (choice === "present" || history.length === 0) {
    const resolver = yield* FileWorkflowResolver.make()
    const changed = choice === "present" ? { history, pin: Option.none() } : {}
    const { included, request, secrets, workflow } = yield* prepareRun(spec, { ...told, ...changed }).pipe(
      Effect.provideService(WorkflowResolver, resolver)
    )
    yield* store.pin(runId, choice === "present" ? [workflow, ...included] : included)
    return { request, secrets, files: real, resolver } satisfies Prepared
  }
  const pins = presentPins(spec, history)
  const copy = yield* readPinnedCopy(
    spec,
    pins,
    `'conductor resume ${runId} --accept-change' goes on with the present file instead.`
  )
  const files = withPinnedFiles(real, [copy.workflow, ...copy.included])
  return yield* Effect.gen(function* () {
    const resolver = yield* FileWorkflowResolver.make(pins.references)
    const { included, request, secrets } = yield* prepareRun(spec, {
      ...told,
      history,
      pin: Option.some(pins.workflow)
    }).pipe(Effect.provideService(WorkflowResolver, resolver))
    // What was missing when the run began, and is told of from now on.
    const added = included.filter(({ path }) => !Object.hasOwn(pins.included, path))
    yield* store.pin(runId, added)
    return { request, secrets, files, resolver } satisfies Prepared
  }).pipe(Effect.provideService(FileSystem, files))
})

const storage = (error: RunStoreError | RunNotFound) => new LaunchError({ reason: "storage", message: error.message })

/** From the first look at the folder to the last event on disk. */
const perform = Effect.fn("RunHost.perform")(
  function* (runId: RunId, choice: WorkflowChoice) {
    const past = yield* inboxPast(runId)
    // Nobody knows a run that has not started, so nobody can have asked yet to cancel it.
    const started = yield* Deferred.make<void>()
    const cancelled = Effect.zipRight(Deferred.await(started), cancelRequested(runId, past.end))
    const stop = yield* Effect.fork(Effect.raceFirst(processStopped, cancelled))
    const startedAt = DateTime.formatIso(yield* DateTime.now)
    yield* claim(runId, startedAt)
    const prepared = yield* prepare(runId, choice, startedAt)

    const { spill } = yield* Effect.map(RunStore, (store) => store.files(runId))
    const people = Layer.succeed(RunInbox, yield* RunInbox)
    const runner = Layer.succeed(ProcessRunner, yield* ProcessRunner)
    const indexing = yield* Effect.context<RunProjection.RunProjection | RunIndex>()
    const log = yield* EventLog
    const end = yield* Effect.flatMap(log.write(runId), (writer) =>
      runSession({
        request: prepared.request,
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
  Effect.flatMap(Environment, ({ variables }) =>
    hidingOnConsole(makeSecretPlaceholders(variables).hideText)(program)
  ).pipe(Effect.provide(Environment.layerProcess))

/**
 * `folder`: the folder of the run, absolute, `<home>/store/runs/<run id>`. A run whose log holds events goes on from them.
 * Ends the process: 0 when the run completed.
 */
export const runHost = (folder: string, flags: ReadonlyArray<string>): void => {
  const runId = RunId.make(basename(folder))
  const home = resolve(folder, "..", "..", "..")
  const program = perform(runId, flags.includes(acceptChangeFlag) ? "present" : "pinned").pipe(
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
