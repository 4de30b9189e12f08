/**
 * The run folders on disk, `store/runs/<run_id>/` below the home folder. A folder is a run from the moment its
 * `run.json` is there, which is written last; folders without one are invisible to readers.
 */
import { Clock, DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isRunId, mintRunId, type RunId } from "../domain/RunId.ts"
import { Home } from "../platform/Home.ts"
import { makePrivateDirectory, readFileIfExists, writeFileAtomic } from "../platform/PrivateFiles.ts"
import { pinnedPath } from "./PinnedPath.ts"
import { ProcessRecord } from "./ProcessRecord.ts"
import { RunNotFound, RunStoreError } from "./RunErrors.ts"
import { runFiles } from "./RunFiles.ts"
import { RunSpec } from "./RunSpec.ts"
import { RunStore, type PinnedFile } from "./RunStore.ts"
import { storeFault, storeFaultOf } from "./StoreFault.ts"

const SpecText = Schema.parseJson(RunSpec, { space: 2 })
const ProcessText = Schema.parseJson(ProcessRecord)

/** Not a run name, since those have no dots: a folder of this name is on its way out. */
const removalPrefix = ".removed-"

/** Milliseconds. Longer than any launch takes. */
const abandonedAfter = 3_600_000

/** Milliseconds. Coarser than the clock of any file system that keeps more than whole seconds. */
const clockResolution = 1_100

const damaged = (path: string) => (error: Error) =>
  new RunStoreError({ path, message: `'${path}' is damaged and the run cannot be read: ${error.message}` })

const removeTree = (path: string) =>
  Effect.tryPromise({ try: () => rm(path, { recursive: true, force: true }), catch: storeFaultOf("remove", path) })

const inspect = (path: string) =>
  Effect.tryPromise({ try: () => stat(path, { bigint: true }), catch: storeFaultOf("inspect", path) })

const readText = (path: string) => Effect.mapError(readFileIfExists(path), storeFault)
const writeText = (path: string, text: string | Uint8Array) => Effect.mapError(writeFileAtomic(path, text), storeFault)
const makeDirectory = (path: string) => Effect.mapError(makePrivateDirectory(path), storeFault)

const make = Effect.gen(function* () {
  const { runs } = yield* Home

  /** Of many who draw the same name one makes the folder; the others draw again. */
  const claimFolder = Effect.gen(function* () {
    const runId = mintRunId()
    const { directory } = runFiles(runs, runId)
    yield* Effect.tryPromise({
      try: () => mkdir(directory, { mode: 0o700 }),
      catch: storeFaultOf("make folder", directory)
    })
    return runId
  }).pipe(Effect.retry({ schedule: Schedule.recurs(20), while: (error) => error.code === "EEXIST" }))

  const writePinned = (runId: RunId, workflow: string, { content, path }: PinnedFile) =>
    Effect.gen(function* () {
      const target = join(runFiles(runs, runId).workflow, pinnedPath(workflow, path))
      yield* makeDirectory(dirname(target))
      yield* writeText(target, content)
    })

  const spec = Effect.fn("RunStore.spec")(function* (runId: RunId) {
    const path = runFiles(runs, runId).spec
    const text = yield* readText(path)
    if (Option.isNone(text)) return yield* new RunNotFound({ runId })
    return yield* Effect.mapError(Schema.decode(SpecText)(text.value), damaged(path))
  })

  const listNames = Effect.tryPromise({
    try: (): Promise<ReadonlyArray<string>> => readdir(runs),
    catch: storeFaultOf("read", runs)
  }).pipe(
    Effect.catchIf(
      (error) => error.code === "ENOENT",
      () => Effect.succeed<ReadonlyArray<string>>([])
    )
  )

  const isMissing = (path: string) =>
    inspect(path).pipe(
      Effect.as(false),
      Effect.catchIf(
        (error) => error.code === "ENOENT",
        () => Effect.succeed(true)
      )
    )

  const isAbandoned = Effect.fnUntraced(function* (name: string, now: number) {
    const halfMade = isRunId(name) && (yield* isMissing(runFiles(runs, name).spec))
    if (!halfMade && !name.startsWith(removalPrefix)) return false
    const { mtimeMs } = yield* inspect(join(runs, name))
    return now - Number(mtimeMs) > abandonedAfter
  })

  return RunStore.of({
    create: Effect.fn("RunStore.create")(function* (draft, workflow) {
      yield* makeDirectory(runs)
      const created = yield* DateTime.now
      return yield* Effect.acquireUseRelease(
        claimFolder,
        (runId) =>
          Effect.gen(function* () {
            const { file } = draft.workflow
            yield* writePinned(runId, file, { path: file, content: workflow })
            const complete = RunSpec.make({
              ...draft,
              version: 1,
              run_id: runId,
              created_at: DateTime.formatIso(created)
            })
            const text = yield* Effect.orDie(Schema.encode(SpecText)(complete))
            yield* writeText(runFiles(runs, runId).spec, text)
            return complete
          }),
        (runId, exit) =>
          exit._tag === "Success" ? Effect.void : Effect.ignore(removeTree(runFiles(runs, runId).directory))
      )
    }),
    pin: Effect.fn("RunStore.pin")(function* (runId, files) {
      if (files.length === 0) return
      const { workflow } = yield* spec(runId)
      yield* Effect.forEach(files, (file) => writePinned(runId, workflow.file, file), { discard: true })
    }),
    pinned: Effect.fn("RunStore.pinned")(function* (runId, file) {
      const { workflow } = yield* spec(runId)
      const path = join(runFiles(runs, runId).workflow, pinnedPath(workflow.file, file))
      return yield* Effect.tryPromise({ try: () => readFile(path), catch: storeFaultOf("read", path) }).pipe(
        Effect.map((content) => Option.some<Uint8Array>(content)),
        Effect.catchIf(
          (error) => error.code === "ENOENT",
          () => Effect.succeedNone
        )
      )
    }),
    spec,
    recordProcess: Effect.fn("RunStore.recordProcess")(function* (runId, record) {
      const text = yield* Effect.orDie(Schema.encode(ProcessText)(record))
      yield* writeText(runFiles(runs, runId).process, text)
    }),
    process: Effect.fn("RunStore.process")(function* (runId) {
      const path = runFiles(runs, runId).process
      const text = yield* readText(path)
      if (Option.isNone(text)) return Option.none()
      return Option.some(yield* Effect.mapError(Schema.decode(ProcessText)(text.value), damaged(path)))
    }),
    ids: Effect.map(listNames, (names) => names.filter(isRunId)),
    revision: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { mtimeNs } = yield* inspect(runs)
      return now - Number(mtimeNs / 1_000_000n) > clockResolution ? Option.some(mtimeNs.toString()) : Option.none()
    }).pipe(
      Effect.catchIf(
        (error) => error.code === "ENOENT",
        () => Effect.succeedNone
      )
    ),
    remove: Effect.fn("RunStore.remove")(function* (runId) {
      const { directory } = runFiles(runs, runId)
      const condemned = join(runs, `${removalPrefix}${runId}`)
      yield* removeTree(condemned)
      yield* Effect.tryPromise({
        try: () => rename(directory, condemned),
        catch: storeFaultOf("remove", directory)
      }).pipe(
        Effect.catchIf(
          (error) => error.code === "ENOENT",
          () => Effect.void
        )
      )
      yield* removeTree(condemned)
    }),
    sweep: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const abandoned = yield* Effect.filter(yield* listNames, (name) => isAbandoned(name, now))
      yield* Effect.forEach(abandoned, (name) => removeTree(join(runs, name)), { discard: true })
    }),
    files: (runId) => runFiles(runs, runId)
  })
})

export const layer: Layer.Layer<RunStore, never, Home> = Layer.effect(RunStore, make)
