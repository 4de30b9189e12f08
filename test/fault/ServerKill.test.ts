/** A server owns no run: whatever kills it, and whenever, costs nothing but the answer that it was about to give. */
import { describe, expect } from "vitest"
import { eventually, randomMoment } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { gapless, logOf, pidOf, processesWith, runFolders, typesOf } from "../support/fault/RunRecords.ts"

const kills = 14
/** Milliseconds: from the start of a call until well into the wait behind it. */
const span = 1_400

describe("a server that is killed at any moment of a start, a wait or a look", () => {
  it("loses no event, stops no run, and every other server answers for its runs", async ({ place, serve }) => {
    addFlow(place, "loop", looping("sleep 0.1; echo turn"))
    const witness = await serve()
    const told = new Set<string>()

    const startAndKill = async (): Promise<void> => {
      const victim = await serve()
      const work = async (): Promise<void> => {
        const { run_id } = await victim.call("loop", { rounds: 8 })
        told.add(String(run_id))
        await victim.call("conductor_run_status", { run_id })
        await victim.call("conductor_await_run", { run_id })
      }
      const working = work().catch(() => "killed")
      await randomMoment(span)
      victim.process.kill("SIGKILL")
      await victim.ended
      await working
    }
    const hunt = async (): Promise<void> => {
      for (let killed = 0; killed < kills / 2; killed++) await startAndKill()
    }
    await Promise.all([hunt(), hunt()])

    // A server may die before it has started the process of a run: then there is none, and nobody was told of one.
    const begun = runFolders(place.home).filter((runId) => told.has(runId) || pidOf(place.home, runId) !== undefined)
    expect(begun).toEqual(expect.arrayContaining([...told]))
    for (const run_id of begun) {
      const end = await witness.call("conductor_await_run", { run_id })
      expect(end).toMatchObject({ run_id, status: "completed", output: { rounds: 8 } })
      const log = logOf(place.home, run_id)
      expect(log.torn).toBe("")
      expect(gapless(log)).toBe(true)
      expect(typesOf(log).filter((type) => type === "script_completed")).toHaveLength(8)
    }
    await eventually("only the witness is left", 2, () => processesWith(place.folder).length === 1)
    expect(processesWith(place.folder)).toEqual([witness.process.pid])
  })
})
