/** What the driver makes must never be collected: on Node 24 that aborts the process. */
import Database from "better-sqlite3"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { keepDriverObjects, keptDriverObjects } from "../../../src/runs/DriverObjects.ts"

/** How many more objects are kept after `use`. */
const keptBy = (use: () => void): number => {
  keepDriverObjects()
  const before = keptDriverObjects()
  use()
  return keptDriverObjects() - before
}

describe("what the driver makes is kept", () => {
  it("every statement, those of pragmas too, with its database, and works as before", () => {
    const kept = keptBy(() => {
      const database = new Database(":memory:")
      database.pragma("journal_mode = WAL")
      expect(database.prepare("SELECT 1 AS one").get()).toEqual({ one: 1 })
      database.close()
    })
    expect(kept).toBe(3)
  })

  it("a database that was never asked, or only told", () => {
    expect(keptBy(() => new Database(":memory:").close())).toBe(1)
    expect(keptBy(() => new Database(":memory:").exec("CREATE TABLE t (x)"))).toBe(1)
  })

  it("a database whose file is none", () => {
    const folder = mkdtempSync(join(tmpdir(), "conductor-driver-"))
    const file = join(folder, "garbage.sqlite")
    writeFileSync(file, "no database".repeat(1000))
    const kept = keptBy(() => {
      const database = new Database(file)
      expect(() => database.pragma("journal_mode = WAL")).toThrow("not a database")
      database.close()
    })
    expect(kept).toBe(1)
    rmSync(folder, { recursive: true })
  })
})
