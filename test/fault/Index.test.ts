/** The index is only a copy: whatever happens to it costs time, is said, and touches neither runs nor answers about them. */
import Database from "better-sqlite3"
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { homeOf } from "../../src/platform/HomePaths.ts"
import { scripted } from "../support/runs/Workflows.ts"
import type { ServerProcess } from "../e2e/mcp/ServerProcess.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow } from "../support/fault/Flows.ts"
import { filesOf, gapless, logOf } from "../support/fault/RunRecords.ts"
import { keepDriverObjects } from "../../src/runs/DriverObjects.ts"

keepDriverObjects()

interface Damage {
  readonly harm: (indexFile: string) => () => void
  /** What is said of it; nothing when nobody needs to know. */
  readonly warning?: RegExp
}

const nothing = (): void => {}

const sideFiles = ["", "-wal", "-shm"]

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
  "replaced by a folder": {
    harm: (file) => {
      for (const suffix of sideFiles) rmSync(`${file}${suffix}`, { force: true })
      mkdirSync(file)
      return () => rmdirSync(file)
    },
    warning: /cannot be used.*takes longer/
  },
  deleted: {
    harm: (file) => {
      rmSync(file)
      return nothing
    }
  },
  "deleted with its side files": {
    harm: (file) => {
      for (const suffix of sideFiles) rmSync(`${file}${suffix}`, { force: true })
      return nothing
    }
  }
}

/** What a host gets to know that asks for everything. */
const list = async (server: ServerProcess) => {
  const { runs, total, warnings = [] } = await server.call("conductor_list_runs")
  const ids = (runs as ReadonlyArray<{ readonly run_id: string }>).map(({ run_id }) => run_id).sort()
  return { ids, total, warnings: warnings as ReadonlyArray<string> }
}

const integrity = (indexFile: string): unknown => {
  const index = new Database(indexFile, { readonly: true })
  const answer = index.pragma("integrity_check", { simple: true })
  index.close()
  return answer
}

describe("an index that is", () => {
  for (const [name, { harm, warning }] of Object.entries(damages)) {
    it(`${name} in mid-run harms no run, no status and no list, which is said, and comes back`, async ({
      place,
      serve
    }) => {
      const go = join(place.folder, "go")
      addFlow(place, "waiting", scripted(`until [ -e '${go}' ]; do sleep 0.05; done; echo done`))
      const server = await serve()
      const { run_id: first } = await server.call("add", { left: 1 })
      const { run_id: second } = await server.call("waiting", { _wait_seconds: 0 })
      expect(await list(server)).toMatchObject({ total: 2, warnings: [] })
      const { indexFile } = homeOf(place.home)
      const mend = harm(indexFile)

      const { run_id: third } = await server.call("add", { left: 2 })
      const all = [first, second, third].map(String).sort()
      const other = await serve()
      const lists = await Promise.all([server, other].map(list))
      for (const { ids, total } of lists) expect({ ids, total }).toEqual({ ids: all, total: 3 })
      expect(await other.call("conductor_run_status", { run_id: second })).toMatchObject({ status: "running" })
      writeFileSync(go, "")
      expect(await server.call("conductor_await_run", { run_id: second })).toMatchObject({
        status: "completed",
        output: { said: "done\n" }
      })
      expect(gapless(logOf(place.home, String(second)))).toBe(true)
      if (warning !== undefined) {
        // Whoever met it first says it: a server in its list, the process of a run in its log, when it ends.
        const logs = () => all.map((runId) => readFileSync(filesOf(place.home, runId).stderr, "utf8"))
        const said = () => [...lists.flatMap(({ warnings }) => warnings), ...logs()]
        await eventually("somebody says it", 10, () => said().some((text) => warning.test(text)))
      }

      mend()
      const fresh = await serve()
      for (const each of [server, other, fresh]) expect(await list(each)).toMatchObject({ ids: all, total: 3 })
      for (const each of [server, other, fresh]) {
        expect((await list(each)).warnings.filter((text) => text.includes("takes longer"))).toEqual([])
      }
      expect(integrity(indexFile)).toBe("ok")
    })
  }
})
