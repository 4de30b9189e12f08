/** Every host starts a server of its own, and all of them share one store. */
import Database from "better-sqlite3"
import { mkdirSync, writeFileSync } from "node:fs"
import { describe, expect } from "vitest"
import { homeOf } from "../../src/platform/HomePaths.ts"
import type { ServerProcess } from "../e2e/mcp/ServerProcess.ts"
import { it } from "../support/fault/FaultTest.ts"
import { gapless, logOf, runFolders, typesOf } from "../support/fault/RunRecords.ts"
import { keepDriverObjects } from "../../src/runs/DriverObjects.ts"

keepDriverObjects()

const servers = 8
/** `CONDUCTOR_FAULT_FULL=1`: 1,600 runs, which take minutes. */
const runsOfEach = process.env["CONDUCTOR_FAULT_FULL"] === "1" ? 200 : 6
const total = servers * runsOfEach

const keepAll = (home: string): void => {
  mkdirSync(home, { recursive: true })
  writeFileSync(homeOf(home).configFile, "[fleet.retention]\nenabled = false\n")
}

/** Two calls at a time, as a host makes them. */
const startRuns = async (server: ServerProcess): Promise<ReadonlyArray<string>> => {
  const started: Array<string> = []
  let left = runsOfEach
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const { run_id } = await server.call("add", { left: left, _wait_seconds: 0 })
      started.push(String(run_id))
    }
  }
  await Promise.all([caller(), caller()])
  return started
}

describe(`${servers} servers that start ${total} runs on one store at the same time`, () => {
  it(
    "complete each of them once, agree about all of them, and harm neither the index nor each other",
    { timeout: 20 * 60_000 },
    async ({ place, serve }) => {
      keepAll(place.home)
      const all = await Promise.all(Array.from({ length: servers }, () => serve()))
      const started = (await Promise.all(all.map(startRuns))).flat()
      expect(new Set(started).size).toBe(total)
      for (const run_id of started) {
        expect(await all[0]?.call("conductor_await_run", { run_id })).toMatchObject({ run_id, status: "completed" })
      }

      expect([...runFolders(place.home)].sort()).toEqual([...started].sort())
      for (const runId of started) {
        const log = logOf(place.home, runId)
        expect(gapless(log)).toBe(true)
        expect(typesOf(log).filter((type) => type.startsWith("workflow_"))).toEqual([
          "workflow_started",
          "workflow_completed"
        ])
      }
      for (const server of all) {
        expect(await server.call("conductor_list_runs", { status: "completed", limit: 1 })).toMatchObject({ total })
        expect(server.messages.every(({ jsonrpc, error }) => jsonrpc === "2.0" && error === undefined)).toBe(true)
        expect(server.process.exitCode).toBeNull()
      }
      const index = new Database(homeOf(place.home).indexFile, { readonly: true })
      expect(index.pragma("integrity_check", { simple: true })).toBe("ok")
      expect(index.prepare("SELECT count(*) FROM runs WHERE status = 'completed'").pluck().get()).toBe(total)
      index.close()
    }
  )
})
