/** The index is only a copy: whatever happens to it costs time, is said, and touches neither runs nor answers about them. */
import Database from "better-sqlite3"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect } from "vitest"
import { homeOf } from "../../src/platform/HomePaths.ts"
import type { ServerProcess } from "../e2e/mcp/ServerProcess.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { gapless, logOf } from "../support/fault/RunRecords.ts"

const slow = looping("sleep 0.1")

interface Damage {
  readonly harm: (indexFile: string) => () => void
  /** What a list says of it; nothing when there is nothing to say. */
  readonly warning: RegExp | undefined
}

const nothing = (): void => {}

const damages: Readonly<Record<string, Damage>> = {
  "locked by another process": {
    harm: (file) => {
      const other = new Database(file)
      other.exec("BEGIN EXCLUSIVE")
      return () => other.close()
    },
    warning: /is locked by another process.*takes longer/
  },
  "overwritten with garbage": {
    harm: (file) => {
      writeFileSync(file, Buffer.alloc(50_000, "garbage "))
      return nothing
    },
    warning: /was damaged and/
  },
  "cut off in the middle": {
    harm: (file) => {
      writeFileSync(file, "SQLite format 3\0")
      return nothing
    },
    warning: /was damaged and/
  },
  deleted: {
    harm: (file) => {
      rmSync(file)
      return nothing
    },
    warning: undefined
  },
  "deleted with its side files": {
    harm: (file) => {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true })
      return nothing
    },
    warning: undefined
  }
}

/** What a host that asks for everything gets to know. */
const list = async (server: ServerProcess) => {
  const { runs, total, warnings = [] } = await server.call("conductor_list_runs")
  return { ids: (runs as ReadonlyArray<{ run_id: string }>).map(({ run_id }) => run_id).sort(), total, warnings }
}

describe("an index that is", () => {
  for (const [name, { harm, warning }] of Object.entries(damages)) {
    it(`${name} in mid-run harms no run, no status and no list, and is whole again afterwards`, async ({
      place,
      serve
    }) => {
      addFlow(place, "slow", slow)
      const server = await serve()
      const { run_id: first } = await server.call("add", { left: 1 })
      const { run_id: second } = await server.call("slow", { rounds: 15 })
      expect(await list(server)).toMatchObject({ total: 2, warnings: [] })
      const { indexFile } = homeOf(place.home)
      const mend = harm(indexFile)

      const { run_id: third } = await server.call("add", { left: 2 })
      const all = [first, second, third].map(String).sort()
      const other = await serve()
      const told = await Promise.all([server, other].map(list))
      for (const { ids, total } of told) expect({ ids, total }).toEqual({ ids: all, total: 3 })
      const warnings = told.flatMap((answer) => answer.warnings)
      if (warning === undefined) expect(warnings).toEqual([])
      else expect(warnings).toContainEqual(expect.stringMatching(warning))
      expect(await other.call("conductor_run_status", { run_id: second })).toMatchObject({ status: "running" })
      expect(await server.call("conductor_await_run", { run_id: second })).toMatchObject({
        status: "completed",
        output: { rounds: 15 }
      })
      expect(gapless(logOf(place.home, String(second)))).toBe(true)

      mend()
      for (const each of [server, other]) expect(await list(each)).toMatchObject({ ids: all, total: 3 })
      const index = new Database(indexFile, { readonly: true })
      expect(index.pragma("integrity_check", { simple: true })).toBe("ok")
      index.close()
      expect(readdirSync(dirname(indexFile)).filter((file) => file.includes("damaged")).length).toBeLessThanOrEqual(2)
    })
  }
})
