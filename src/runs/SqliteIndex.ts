/**
 * The index as tables of one SQLite file. Loads the database driver, so it is imported only by who is about to use it.
 * Transactions are short and hold nothing but SQL, since a wait for the lock stops the whole process.
 */
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Option, Schema } from "effect"
import type { ParseError } from "effect/ParseResult"
import { RunId } from "../domain/RunId.ts"
import { isMap, parseStoredJson, stringifyJson, type ValueMap } from "../domain/Value.ts"
import { makeImmediate } from "./ImmediateTransaction.ts"
import { RunDigest } from "./RunDigest.ts"
import { indexedStatus, type IndexedRun, type IndexPage, type UnfinishedRun } from "./RunIndex.ts"
import type { RunFilter } from "./RunMonitor.ts"
import { countOf, pageOf } from "./SqlitePage.ts"

const Row = Schema.Struct({
  digest: Schema.parseJson(RunDigest),
  position: Schema.Int,
  lost: Schema.NullOr(Schema.String),
  output: Schema.optional(Schema.NullOr(Schema.String))
})
type Row = typeof Row.Type
const decodeRow = Schema.decodeUnknown(Row)
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))
const encodeDigest = Schema.encode(Schema.parseJson(RunDigest))

const readOutput = (text: string | null | undefined): { readonly output?: ValueMap } => {
  const output = text === null || text === undefined ? undefined : parseStoredJson(text)
  return output !== undefined && isMap(output) ? { output } : {}
}

const fromRow = ({ digest, lost, output, position }: Row): IndexedRun => ({
  fold: { ...digest, ...readOutput(output) },
  end: position,
  ...(lost === null ? {} : { lost })
})

/** Bound parameters of one statement: well below SQLite's limit. */
const idsPerStatement = 500

const chunksOf = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

export const makeTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  const immediate = makeImmediate(sql)

  const writeRow = Effect.fnUntraced(function* (run: IndexedRun) {
    const { output, ...digest } = run.fold
    const { created_at, run_id } = run.fold.spec
    const row = {
      run_id,
      created_at,
      status: indexedStatus(run),
      position: run.end,
      lost: run.lost ?? null,
      digest: yield* encodeDigest(digest),
      output: output === undefined ? null : stringifyJson(output)
    }
    yield* sql`
      INSERT INTO runs ${sql.insert(row)}
      ON CONFLICT (run_id) DO UPDATE SET
        status = excluded.status, position = excluded.position, lost = excluded.lost,
        digest = excluded.digest, output = excluded.output
      WHERE excluded.position >= runs.position`
  })

  /** With the status that the row has now, which another writer may have brought further than this one. */
  const writeLabels = ({ fold: { name, spec } }: IndexedRun) => {
    const labels = [spec.workflow.key, name ?? spec.workflow.name, spec.provenance.tool]
    return Effect.forEach(
      new Set(labels.filter((label) => label !== undefined)),
      (label) => sql`
        INSERT OR REPLACE INTO labels (label, created_at, run_id, status)
        SELECT ${label}, created_at, run_id, status FROM runs WHERE run_id = ${spec.run_id}`,
      { discard: true }
    )
  }

  const writeRun = (run: IndexedRun) => Effect.zipRight(writeRow(run), writeLabels(run))

  return {
    get: (runId: RunId) =>
      Effect.gen(function* () {
        const [row] = yield* sql`SELECT position, lost, digest, output FROM runs WHERE run_id = ${runId}`
        return row === undefined ? Option.none<IndexedRun>() : Option.some(fromRow(yield* decodeRow(row)))
      }),
    put: (runs: ReadonlyArray<IndexedRun>) => immediate(Effect.forEach(runs, writeRun, { discard: true })),
    remove: (runIds: ReadonlyArray<RunId>) =>
      immediate(
        Effect.forEach(
          chunksOf(runIds, idsPerStatement),
          (some) => sql`DELETE FROM runs WHERE ${sql.in("run_id", some)}`,
          { discard: true }
        )
      ),
    ids: Effect.map(
      sql<{ readonly run_id: RunId }>`SELECT run_id FROM runs`,
      (rows): ReadonlySet<RunId> => new Set(rows.map(({ run_id }) => run_id))
    ),
    unfinished: Effect.map(
      sql<{ readonly run_id: RunId; readonly position: number }>`
        SELECT run_id, position FROM runs WHERE status IN ('running', 'awaiting_gate', 'paused')`,
      (rows): ReadonlyArray<UnfinishedRun> => rows.map(({ position, run_id }) => ({ runId: run_id, end: position }))
    ),
    page: (filter: RunFilter): Effect.Effect<IndexPage, SqlError | ParseError> =>
      Effect.gen(function* () {
        const rows = yield* pageOf(sql, filter)
        const [count] = yield* countOf(sql, filter)
        return { runs: (yield* decodeRows(rows)).map(fromRow), total: count?.total ?? 0 }
      }),
    comparedWith: Effect.map(sql<{ readonly revision: string }>`SELECT revision FROM store`, ([row]) =>
      Option.fromNullable(row?.revision)
    ),
    setComparedWith: (revision: string) => sql`
      INSERT INTO store (id, revision) VALUES (1, ${revision})
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision`
  }
})

export type IndexTables = Effect.Effect.Success<typeof makeTables>
