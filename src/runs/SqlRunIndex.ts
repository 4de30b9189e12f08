/**
 * The index in SQLite, opened when it is first asked and not before: most processes never need it, and the driver is
 * slow to load. Whatever is wrong with the file becomes a `RunIndexError` in words; a damaged file is put aside.
 */
import { Effect, Layer, Ref } from "effect"
import { Home } from "../platform/Home.ts"
import { IndexFault, indexFault, retryBusy } from "./IndexFault.ts"
import type { OpenIndex } from "./OpenSqliteIndex.ts"
import { RunIndex, RunIndexError } from "./RunIndex.ts"
import type { IndexTables } from "./SqliteIndex.ts"

const loadDriver = Effect.tryPromise({
  try: () => import("./OpenSqliteIndex.ts"),
  catch: (cause) => new IndexFault({ kind: "unusable", detail: `its driver cannot be loaded: ${String(cause)}` })
})

const reasons: Readonly<Record<IndexFault["kind"], (detail: string) => string>> = {
  busy: () => "is locked by another process",
  damaged: (detail) => `was damaged and has been put aside: ${detail}`,
  unusable: (detail) => `cannot be used: ${detail}`
}

const told = (file: string, { detail, kind }: IndexFault): RunIndexError => {
  const reason = reasons[kind](detail)
  return new RunIndexError({
    message: `The run index ${file} ${reason}. The answer comes from the run folders, which takes longer.`
  })
}

const make = Effect.gen(function* () {
  const { indexFile } = yield* Home
  const exclusive = (yield* Effect.makeSemaphore(1)).withPermits(1)
  const notices = yield* Ref.make<ReadonlyArray<string>>([])
  let current: OpenIndex | undefined

  const close = Effect.suspend(() => {
    const closing = current
    current = undefined
    return closing?.close ?? Effect.void
  })
  yield* Effect.addFinalizer(() => close)

  /** Whoever loses patience in the middle of it would leave a file that nobody has told of. */
  const discard = Effect.gen(function* () {
    yield* close
    const { putAside } = yield* loadDriver
    const target = yield* putAside(indexFile)
    yield* Ref.update(notices, (all) => [
      ...all,
      `The run index was damaged and is being rebuilt; the old file is kept as ${target}`
    ])
  }).pipe(Effect.uninterruptible)

  const openOnce = Effect.gen(function* () {
    const { openIndex } = yield* loadDriver
    return yield* openIndex(indexFile)
  })

  const open = exclusive(
    Effect.gen(function* () {
      if (current !== undefined) return current
      current = yield* Effect.catchIf(
        openOnce,
        ({ kind }) => kind === "damaged",
        () => Effect.zipRight(discard, openOnce)
      )
      return current
    })
  )
  const opened = Effect.suspend(() => (current === undefined ? open : Effect.succeed(current)))

  /** What becomes of an index that failed, so that the next question finds a better one. */
  const leave: Readonly<Record<IndexFault["kind"], Effect.Effect<void, IndexFault>>> = {
    busy: Effect.void,
    damaged: discard,
    // The file may have been deleted under us, and then it never works again for who has it open.
    unusable: close
  }

  const use = <A, E>(query: (tables: IndexTables) => Effect.Effect<A, E>): Effect.Effect<A, RunIndexError> =>
    Effect.flatMap(opened, ({ tables }) =>
      query(tables).pipe(Effect.catchAllDefect(Effect.fail), Effect.mapError(indexFault), retryBusy)
    ).pipe(
      Effect.tapError(({ kind }) => Effect.ignore(exclusive(leave[kind]))),
      Effect.mapError((fault) => told(indexFile, fault))
    )

  return RunIndex.of({
    get: (runId) => use((tables) => tables.get(runId)),
    put: (runs) => (runs.length === 0 ? Effect.void : use((tables) => tables.put(runs))),
    remove: (runIds) => (runIds.length === 0 ? Effect.void : use((tables) => tables.remove(runIds))),
    ids: use((tables) => tables.ids),
    unfinished: use((tables) => tables.unfinished),
    page: (filter) => use((tables) => tables.page(filter)),
    comparedWith: use((tables) => tables.comparedWith),
    setComparedWith: (revision) => Effect.asVoid(use((tables) => tables.setComparedWith(revision))),
    notices: Ref.getAndSet(notices, [])
  })
})

export const layer: Layer.Layer<RunIndex, never, Home> = Layer.scoped(RunIndex, make)
