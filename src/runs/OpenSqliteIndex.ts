/**
 * Opens the index file, makes or renews its tables, and puts a damaged file aside. Loads the database driver, so it is
 * imported only by who is about to use it.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Clock, Duration, Effect, Exit, Layer, Scope } from "effect"
import { rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { createExclusive, makePrivateDirectory } from "../platform/PrivateFiles.ts"
import { makeImmediate } from "./ImmediateTransaction.ts"
import { IndexFault, indexFault, retryBusy } from "./IndexFault.ts"
import { keepDriverObjects } from "./DriverObjects.ts"
import { makeTables, type IndexTables } from "./SqliteIndex.ts"
import { currentVersion, migrate, schemaVersion } from "./SqliteSchema.ts"

export interface OpenIndex {
  readonly tables: IndexTables
  readonly close: Effect.Effect<void>
}

/**
 * Milliseconds that one statement waits for the lock of another process. Meanwhile this whole process stands still, so
 * the wait is short and repeated by a schedule, which lets everything else go on in between.
 */
const lockTimeout = 250

const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`PRAGMA busy_timeout = ${sql.literal(String(lockTimeout))}`
  const version = yield* currentVersion
  if (version > schemaVersion) {
    return yield* new IndexFault({ kind: "unusable", detail: "it was made by a newer version of conductor" })
  }
  if (version < schemaVersion) yield* makeImmediate(sql)(migrate)
  return yield* makeTables
})

/** An empty file is a database without tables; it is made first, because the driver would let everyone read it. */
const makeFile = (file: string) =>
  Effect.zipRight(makePrivateDirectory(dirname(file)), createExclusive(file, "")).pipe(
    Effect.mapError(({ message }) => new IndexFault({ kind: "unusable", detail: message }))
  )

/** The driver throws where it opens a file, so that what is wrong with it arrives as a defect. */
const connect = (file: string, scope: Scope.Scope) =>
  Effect.sync(keepDriverObjects).pipe(
    Effect.zipRight(
      Layer.buildWithScope(SqliteClient.layer({ filename: file, prepareCacheTTL: Duration.infinity }), scope)
    ),
    Effect.flatMap((client) => Effect.provide(prepare, client)),
    Effect.catchAllDefect(Effect.fail),
    Effect.mapError(indexFault),
    retryBusy
  )

export const openIndex = Effect.fn("SqliteIndex.open")(function* (file: string) {
  yield* makeFile(file)
  const scope = yield* Scope.make()
  const close = Scope.close(scope, Exit.void)
  const tables = yield* Effect.onError(connect(file, scope), () => close)
  return { tables, close } satisfies OpenIndex
})

/** A damaged index is kept for whoever wants to look at it; its side files belong to it and would damage the next one. */
export const putAside = Effect.fn("SqliteIndex.putAside")(function* (file: string) {
  const now = yield* Clock.currentTimeMillis
  const target = `${file}.damaged-${now}`
  yield* Effect.tryPromise({
    try: async () => {
      await rename(file, target)
      await Promise.all(["-wal", "-shm"].map((suffix) => rm(`${file}${suffix}`, { force: true })))
    },
    catch: indexFault
  })
  return target
})
