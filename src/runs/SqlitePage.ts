/** The statements of a list: a page of the runs, newest first, and how many there are. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { RunFilter } from "./RunMonitor.ts"

/** Both tables hold what is needed to find and order the runs, so that only those of the page are looked up. */
const selection = (sql: SqlClient, { status, workflow }: RunFilter) => ({
  table: workflow === undefined ? sql`runs` : sql`labels`,
  condition: sql.and([
    ...(workflow === undefined ? [] : [sql`label = ${workflow}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`])
  ])
})

/** A list of ids and not a join, which SQLite would begin at the other end: with every run of the store. */
export const pageOf = (sql: SqlClient, filter: RunFilter) => {
  const { condition, table } = selection(sql, filter)
  return sql`
    SELECT position, lost, digest FROM runs WHERE run_id IN (
      SELECT run_id FROM ${table} WHERE ${condition}
      ORDER BY created_at DESC, run_id DESC LIMIT ${filter.limit} OFFSET ${filter.offset}
    ) ORDER BY created_at DESC, run_id DESC`
}

export const countOf = (sql: SqlClient, filter: RunFilter) => {
  const { condition, table } = selection(sql, filter)
  return sql<{ readonly total: number }>`SELECT count(*) AS total FROM ${table} WHERE ${condition}`
}
