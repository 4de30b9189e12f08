/** A page costs what its own runs cost, however many the store holds: no statement may walk through the rows of all. */
import { describe, expect, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Effect } from "effect"
import type { RunFilter } from "../../../src/runs/RunMonitor.ts"
import { countOf, pageOf } from "../../../src/runs/SqlitePage.ts"
import { migrate } from "../../../src/runs/SqliteSchema.ts"
import { keepDriverObjects } from "../../../src/runs/DriverObjects.ts"

keepDriverObjects()

const page = { limit: 20, offset: 1000 }
const filters: ReadonlyArray<readonly [string, RunFilter]> = [
  ["all runs", page],
  ["one status", { ...page, status: "failed" }],
  ["one workflow", { ...page, workflow: "review" }],
  ["one status of one workflow", { ...page, status: "failed", workflow: "review" }]
]

/** A walk over an index that holds all that is asked for is cheap; one that fetches each row is not. */
const fetchesEveryRow = (detail: string) =>
  detail.includes("AUTOMATIC") || (detail.startsWith("SCAN ") && !detail.includes("COVERING INDEX"))

describe.each(filters)("a list of %s", (_, filter) => {
  it.effect("looks up the rows of its page only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate
      const plans = yield* Effect.forEach([pageOf(sql, filter), countOf(sql, filter)], (statement) => {
        const [text, values] = statement.compile()
        return sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values)
      })
      const details = plans.flat().map(({ detail }) => detail)
      expect(details.length).toBeGreaterThan(1)
      expect(details.filter(fetchesEveryRow)).toEqual([])
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})
