/** What the driver makes must never be collected: on Node 24 that aborts the process. */
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { keepStatements, keptStatements } from "../../../src/runs/KeptStatements.ts"

it("every statement is kept, those of pragmas too, and works as before", () => {
  keepStatements()
  keepStatements()
  const before = keptStatements()
  const database = new Database(":memory:")
  database.pragma("journal_mode = WAL")
  expect(database.prepare("SELECT 1 AS one").get()).toEqual({ one: 1 })
  expect(keptStatements() - before).toBe(2)
  database.close()
})
