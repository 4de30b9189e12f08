/** Clocks are set back by people, time servers and sleeping machines. Runs must not notice. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { gapless, logOf } from "../support/fault/RunRecords.ts"

/** Loaded into every process of the test: each look at the clock finds it an hour earlier than the look before. */
const backwards = `
  const now = Date.now.bind(Date)
  let looks = 0
  Date.now = () => now() - 3_600_000 * looks++
  globalThis.Date = new Proxy(Date, {
    construct: (target, given) => (given.length === 0 ? new target(target.now()) : new target(...given))
  })
`

describe("a clock that goes backwards", () => {
  it("neither makes later events earlier, nor a duration negative, nor a run lost", async ({ place, serve }) => {
    const file = join(place.folder, "backwards.cjs")
    writeFileSync(file, backwards)
    addFlow(place, "loop", looping("sleep 0.1"))
    const server = await serve({ environment: { NODE_OPTIONS: `--require=${file}` } })
    const { run_id } = await server.call("loop", { rounds: 10, _wait_seconds: 0 })
    expect(await server.call("conductor_await_run", { run_id })).toMatchObject({ status: "completed" })
    const log = logOf(place.home, String(run_id))
    expect(gapless(log)).toBe(true)
    const times = log.events.map(({ timestamp }) => timestamp)
    // Later looks found earlier times, so that the first one is the latest there is.
    expect(new Set(times)).toEqual(new Set(times.slice(0, 1)))
    const durations = log.events.flatMap(({ data }) => (typeof data["elapsed"] === "number" ? [data["elapsed"]] : []))
    expect(durations).toHaveLength(11)
    expect(durations.filter((seconds) => seconds < 0.05)).toEqual([])

    const other = await serve()
    expect(await other.call("conductor_run_status", { run_id })).toMatchObject({ status: "completed" })
    expect(await other.call("conductor_list_runs")).toMatchObject({ total: 1 })
  })

  it("does not keep a cancellation or a wait from ending", async ({ place, serve }) => {
    const file = join(place.folder, "backwards.cjs")
    writeFileSync(file, backwards)
    const server = await serve({ environment: { NODE_OPTIONS: `--require=${file}` } })
    const { run_id } = await server.call("nap", { seconds: 60, _wait_seconds: 1 })
    expect(await server.call("conductor_await_run", { run_id, wait_seconds: 1 })).toMatchObject({ status: "running" })
    expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
      status: "cancelled",
      cancellation: { outcome: "cancelled", rung: "inbox" }
    })
  })
})
