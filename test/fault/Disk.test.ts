/** The disk under the home fills up, or lets nobody write: nothing that is known gets lost, and everybody is told. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import type { Place } from "../e2e/mcp/ServerProcess.ts"
import { type HomeDisk, withHomeDisk } from "../support/fault/Disks.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { toolNames } from "../support/fault/ListedTools.ts"
import { gapless, leftoversOf, logOf, runFolders, typesOf } from "../support/fault/RunRecords.ts"

/** Says something in each turn, and goes on beyond its third turn when it is told to. */
const talkative = (folder: string): string =>
  looping(
    `echo turn >> '${folder}/turns'; head -c 20000 /dev/zero | tr '\\0' x; [ $(wc -l < '${folder}/turns') -ne 3 ] || until [ -e '${folder}/go' ]; do sleep 0.05; done`
  )

const turnsOf = (home: string, runId: string): number =>
  typesOf(logOf(home, runId)).filter((type) => type === "script_completed").length

/** Lets a talkative run go on when the disk is full already, until its events are refused. */
const fillInMidRun = async (place: Place, home: string, runId: string, fill: HomeDisk["fill"]) => {
  await eventually("two turns are done", 10, () => turnsOf(home, runId) === 2)
  const makeSpace = fill()
  writeFileSync(join(place.folder, "go"), "")
  await eventually("the disk refuses", 10, () => logOf(home, runId).torn !== "")
  return makeSpace
}

describe("a full disk", () => {
  it("loses no event of a run, which goes on and says it once there is space", ({ place, serve, skip }) =>
    withHomeDisk("6m", skip, async ({ fill, home }) => {
      addFlow(place, "talk", talkative(place.folder))
      const server = await serve({ home })
      const { run_id } = await server.call("talk", { rounds: 20 })
      const runId = String(run_id)
      const makeSpace = await fillInMidRun(place, home, runId, fill)
      expect(await server.call("conductor_run_status", { run_id })).toMatchObject({ status: "running" })
      expect(await server.call("conductor_list_runs")).toMatchObject({ total: 1 })
      makeSpace()
      expect(await server.call("conductor_await_run", { run_id })).toMatchObject({
        status: "completed",
        output: { rounds: 20 },
        warnings: [expect.stringMatching(/kept in memory.*ENOSPC.*disk is full/)]
      })
      const log = logOf(home, runId)
      expect(gapless(log)).toBe(true)
      expect(log.torn).toBe("")
      expect(typesOf(log)).toContain("run_warning")
      expect(turnsOf(home, runId)).toBe(20)
    }))

  it("refuses a start with the reason and the remedy, leaves nothing half-made, and takes the next one", ({
    serve,
    skip
  }) =>
    withHomeDisk("6m", skip, async ({ fill, home }) => {
      const server = await serve({ home })
      const before = await server.call("add", { left: 1 })
      const makeSpace = fill()
      expect(await server.call("add", { left: 2 })).toMatchObject({
        error: { type: "LaunchError", message: expect.stringMatching(/ENOSPC.*free some space/) },
        next: expect.stringContaining("No run was started.")
      })
      expect(runFolders(home)).toEqual([before["run_id"]])
      expect(await server.call("conductor_list_runs")).toMatchObject({ total: 1 })
      makeSpace()
      expect(await server.call("add", { left: 3 })).toMatchObject({ status: "completed", output: { sum: 4 } })
    }))

  it("does not protect a run from being cancelled", ({ place, serve, skip }) =>
    withHomeDisk("6m", skip, async ({ fill, home }) => {
      addFlow(place, "talk", talkative(place.folder))
      const server = await serve({ home })
      const { run_id } = await server.call("talk", { rounds: 20 })
      const makeSpace = await fillInMidRun(place, home, String(run_id), fill)
      // Its log has no room for the last word, and it must not pretend to have one.
      expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
        run_id,
        status: "lost",
        cancellation: { outcome: "cancelled", rung: "kill" },
        warnings: [expect.stringMatching(/run was ended.*ENOSPC/)]
      })
      await eventually("nothing is left of its script", 1, () => leftoversOf(String(run_id)).length === 0)
      makeSpace()
      expect(await server.call("conductor_run_status", { run_id })).toMatchObject({ status: "lost" })
      expect(gapless(logOf(home, String(run_id)))).toBe(true)
    }))
})

describe("a read-only home", () => {
  it("still lists tools, shows and lists runs, and refuses a start with the reason and the remedy", ({ serve, skip }) =>
    withHomeDisk("6m", skip, async ({ home, makeReadOnly }) => {
      const earlier = await serve({ home })
      const { run_id } = await earlier.call("add", { left: 1 })
      earlier.process.stdin.end()
      await earlier.ended
      await eventually("the disk lets go of its writers", 10, () =>
        makeReadOnly().then(
          () => true,
          () => false
        )
      )

      // A changed option, so that no list of tools of an earlier start can be used.
      const server = await serve({ home, args: ["--max-direct-tools", "24"] })
      expect(await toolNames(server)).toEqual(expect.arrayContaining(["add", "nap", "conductor_list_runs"]))
      expect(await server.call("conductor_run_status", { run_id })).toMatchObject({
        status: "completed",
        output: { sum: 2 }
      })
      const listed = await server.call("conductor_list_runs")
      expect(listed).toMatchObject({ total: 1, runs: [{ run_id, status: "completed" }] })
      expect(await server.call("add", { left: 1 })).toMatchObject({
        error: {
          type: "LaunchError",
          message: expect.stringMatching(/EROFS.*set CONDUCTOR_HOME to a folder on a writable one/)
        },
        next: expect.stringContaining("No run was started.")
      })
      expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
        cancellation: { outcome: "already_finished" }
      })
      expect(runFolders(home)).toEqual([run_id])
    }))

  it("that cannot even be made still lists tools and says why nothing can start", async ({ serve }) => {
    const server = await serve({ home: "/proc/no-home" })
    expect(await toolNames(server)).toContain("add")
    expect(await server.call("conductor_list_runs")).toMatchObject({ total: 0 })
    expect(await server.call("add", { left: 1 })).toMatchObject({
      error: { message: expect.stringContaining("/proc/no-home") },
      next: expect.stringContaining("No run was started.")
    })
  })
})
