/** Many hands on one run: whatever comes first, everybody is told the same truth. */
import { describe, expect } from "vitest"
import { isTerminalEvent } from "../../src/domain/RunEvent.ts"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { leftoversOf, logOf } from "../support/fault/RunRecords.ts"

const ends = (home: string, runId: unknown): ReadonlyArray<string> =>
  logOf(home, String(runId))
    .events.filter((event) => isTerminalEvent(event as unknown as RunEvent))
    .map(({ type }) => type)

describe("two servers", () => {
  it("that cancel the same run at once both say that it was cancelled, and it was once", async ({ place, serve }) => {
    addFlow(place, "loop", looping("sleep 30"))
    const servers = await Promise.all([serve(), serve()])
    const { run_id } = await servers[0].call("loop", { rounds: 3 })
    await eventually("the script runs", 5, () => leftoversOf(String(run_id)).length >= 2)
    const callers = [...servers, ...servers]
    const answers = await Promise.all(callers.map((server) => server.call("conductor_cancel_run", { run_id })))
    for (const answer of answers) {
      expect(answer).toMatchObject({ run_id, status: "cancelled" })
      expect(["cancelled", "already_finished"]).toContain((answer["cancellation"] as { outcome: string }).outcome)
    }
    expect(ends(place.home, run_id)).toEqual(["workflow_cancelled"])
  })

  it("that wait for the same run at once both have its result", async ({ serve }) => {
    const servers = await Promise.all([serve(), serve()])
    const { run_id } = await servers[0].call("nap", { seconds: 1 })
    const answers = await Promise.all(servers.map((server) => server.call("conductor_await_run", { run_id })))
    expect(answers[0]).toMatchObject({ run_id, status: "completed", output: { slept: expect.closeTo(1, 0) } })
    expect(answers[1]).toEqual(answers[0])
  })

  it("of which one cancels while the run comes to its end agree about how it ended", async ({ place, serve }) => {
    const servers = await Promise.all([serve(), serve()])
    const [one, other] = servers
    for (const seconds of [0.2, 0.4, 0.6, 0.8]) {
      const { run_id } = await one.call("nap", { seconds, _wait_seconds: 0 })
      const [cancelled, awaited] = await Promise.all([
        one.call("conductor_cancel_run", { run_id }),
        other.call("conductor_await_run", { run_id })
      ])
      expect(cancelled["status"]).toBe(awaited["status"])
      expect(ends(place.home, run_id)).toEqual([`workflow_${String(awaited["status"])}`])
      expect(cancelled["cancellation"]).toMatchObject({
        outcome: awaited["status"] === "cancelled" ? "cancelled" : "already_finished"
      })
    }
  })
})

describe("cancelling", () => {
  it("a run that has finished says so and changes nothing", async ({ place, serve }) => {
    const server = await serve()
    const { run_id } = await server.call("add", { left: 1 })
    expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
      status: "completed",
      output: { sum: 2 },
      cancellation: { outcome: "already_finished" }
    })
    expect(ends(place.home, run_id)).toEqual(["workflow_completed"])
  })

  it("a run that nobody knows is an error, whatever its name is", async ({ serve }) => {
    const server = await serve()
    for (const run_id of ["0123456789", "", "../../etc", "a/b", ".", "\u0000", "x".repeat(100_000), "conductor"]) {
      const answer = await server.call("conductor_cancel_run", { run_id })
      expect(answer).toMatchObject({
        error: { type: "RunNotFound" },
        next: expect.stringContaining("conductor_list_runs")
      })
      expect(answer).not.toHaveProperty("cancellation")
    }
  })
})
