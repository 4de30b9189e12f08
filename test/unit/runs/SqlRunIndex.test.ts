/** An index that cannot be used never costs an answer: it is put aside, or done without, and somebody is told. */
import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Effect, Layer } from "effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { Home } from "../../../src/platform/Home.ts"
import { EventLog } from "../../../src/runs/EventLog.ts"
import { reindex } from "../../../src/runs/Reindex.ts"
import { RunMonitor } from "../../../src/runs/RunMonitor.ts"
import { RunStore } from "../../../src/runs/RunStore.ts"
import { layerRecords } from "../../../src/runs/RunsLive.ts"
import { draft, startedData } from "../../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../../support/runs/Workspace.ts"
import { keepDriverObjects } from "../../../src/runs/DriverObjects.ts"

keepDriverObjects()

const home = homeInWorkspace.pipe(Layer.provideMerge(Workspace.layer))
/** A new process, as far as the index is concerned. */
const freshly = <A, E>(effect: Effect.Effect<A, E, Layer.Layer.Success<typeof layerRecords> | Home>) =>
  Effect.provide(effect, layerRecords)

const finishedRun = Effect.gen(function* () {
  const store = yield* RunStore
  const log = yield* EventLog
  const { run_id } = yield* store.create(draft, Buffer.from("text"))
  const writer = yield* log.write(run_id)
  yield* writer.append("workflow_started", startedData)
  yield* writer.append("workflow_completed", { elapsed: 1, output: { answer: 42 } })
  return run_id
}).pipe(Effect.scoped)

const listAll = Effect.flatMap(RunMonitor, (monitor) => monitor.list({ limit: 10, offset: 0 }))

/** What another program does to the file. */
const meddle = <A, E, R>(indexFile: string, statement: string, meanwhile: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) => Effect.zipRight(sql.unsafe(statement), meanwhile)).pipe(
    Effect.provide(SqliteClient.layer({ filename: indexFile }))
  )

const withTwoRuns = <A, E>(test: (indexFile: string) => Effect.Effect<A, E, Home>) =>
  Effect.gen(function* () {
    const { indexFile } = yield* Home
    yield* freshly(Effect.zipRight(finishedRun, finishedRun))
    yield* test(indexFile)
  }).pipe(Effect.provide(home))

describe("the index file", () => {
  it.live("is made when it is first needed, and only its owner can read it", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        expect(existsSync(indexFile)).toBe(false)
        expect(yield* freshly(listAll)).toMatchObject({ total: 2, warnings: [] })
        expect(statSync(indexFile).mode & 0o777).toBe(0o600)
      })
    )
  )

  it.live("that holds something else is put aside and made anew, and the list says so", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        writeFileSync(indexFile, "this is no database, ".repeat(500))
        const page = yield* freshly(listAll)
        expect(page.total).toBe(2)
        expect(page.warnings).toEqual([expect.stringContaining("damaged")])
        const aside = readdirSync(dirname(indexFile)).find((name) => name.includes(".damaged-")) ?? ""
        expect(readFileSync(`${dirname(indexFile)}/${aside}`, "utf8")).toContain("no database")
        expect(yield* freshly(listAll)).toMatchObject({ total: 2, warnings: [] })
      })
    )
  )

  it.live("whose pages were overwritten is noticed, and the next list is right again", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        yield* freshly(listAll)
        const bytes = readFileSync(indexFile)
        writeFileSync(indexFile, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]))
        expect((yield* freshly(listAll)).total).toBe(2)
        expect(yield* freshly(listAll)).toMatchObject({ total: 2, warnings: [] })
      })
    )
  )

  it.live("with other tables is put aside", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        yield* meddle(indexFile, "CREATE TABLE migrations AS SELECT 1 AS migration_id, 'x' AS name", Effect.void)
        const page = yield* freshly(Effect.zipRight(listAll, listAll))
        expect(page).toMatchObject({ total: 2, warnings: [expect.stringContaining("damaged")] })
      })
    )
  )

  it.live("of a newer version is left alone, and the answer comes from the run folders", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        yield* freshly(listAll)
        yield* meddle(indexFile, "INSERT INTO migrations (migration_id, name) VALUES (99, 'future')", Effect.void)
        const page = yield* freshly(listAll)
        expect(page).toMatchObject({ total: 2, warnings: [expect.stringContaining("newer version")] })
        expect(readdirSync(dirname(indexFile)).some((name) => name.includes("damaged"))).toBe(false)
      })
    )
  )

  it.live("that another process has locked is done without", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        yield* freshly(listAll)
        const page = yield* meddle(indexFile, "BEGIN IMMEDIATE", freshly(Effect.zipRight(finishedRun, listAll)))
        expect(page).toMatchObject({ total: 3, warnings: [expect.stringContaining("locked by another process")] })
      })
    )
  )

  it.live("that cannot be made is done without", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        mkdirSync(indexFile)
        expect(yield* freshly(listAll)).toMatchObject({
          total: 2,
          warnings: [expect.stringContaining("cannot be used")]
        })
      })
    )
  )

  it.live("comes back after it was deleted", () =>
    withTwoRuns((indexFile) =>
      Effect.gen(function* () {
        writeFileSync(indexFile, "")
        chmodSync(indexFile, 0o600)
        expect(yield* freshly(reindex())).toEqual({ runs: 2, warnings: [] })
        expect(yield* freshly(reindex())).toEqual({ runs: 2, warnings: [] })
      })
    )
  )
})
