/** The tables of the index. A migration that has been released never changes; a new one is added behind it. */
import * as Migrator from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const initial = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE runs (
      run_id TEXT NOT NULL PRIMARY KEY,
      created_at TEXT NOT NULL,
      status TEXT NOT NULL,
      position INTEGER NOT NULL,
      lost TEXT,
      digest TEXT NOT NULL,
      -- Last, since SQLite reads a row up to the last column that is asked for, and an output may be large.
      output TEXT
    ) STRICT`
  yield* sql`CREATE INDEX runs_newest ON runs (created_at DESC, run_id DESC)`
  yield* sql`CREATE INDEX runs_by_status ON runs (status, created_at DESC, run_id DESC)`
  // What a run can be asked for by: its workflow's name and key, and its tool. In the order of the list, so that neither
  // a page nor a count has to look at more than it needs.
  yield* sql`
    CREATE TABLE labels (
      label TEXT NOT NULL,
      created_at TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      status TEXT NOT NULL,
      PRIMARY KEY (label, created_at, run_id)
    ) STRICT, WITHOUT ROWID`
  yield* sql`CREATE INDEX labels_by_run ON labels (run_id)`
  yield* sql`CREATE TABLE store (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), revision TEXT NOT NULL) STRICT`
})

/** The number of the last migration. */
export const schemaVersion = 1

export const migrate = Migrator.make({})({
  loader: Migrator.fromRecord({ "0001_runs": initial }),
  table: "migrations"
})

/** 0 for a file that has no tables yet. */
export const currentVersion = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql`SELECT name FROM sqlite_schema WHERE name = 'migrations'`
  if (tables.length === 0) return 0
  const [row] = yield* sql<{ readonly version: number | null }>`SELECT max(migration_id) AS version FROM migrations`
  return row?.version ?? 0
})
