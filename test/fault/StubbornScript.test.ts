/** Scripts that do not want to end, and runs that cannot: a cancellation ends them and says what it took. */
import { describe } from "vitest"
import { signal } from "../../src/platform/ProcessGroup.ts"
import { scripted } from "../support/runs/Workflows.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow } from "../support/fault/Flows.ts"
import { gapless, leftoversOf, logOf, pidOf, typesOf } from "../support/fault/RunRecords.ts"

/** Ignores TERM, and so does its grandchild, which has a session of its own and holds no pipe of ours. */
const stubborn = scripted(
  `trap '' TERM; setsid sh -c 'trap "" TERM; while :; do sleep 1; done' > /dev/null 2>&1 & while :; do sleep 1; done`
)

describe.concurrent("cancelling", () => {
  it("a script that ignores TERM and a grandchild that left its session leaves nothing of them", async ({
    place,
    serve,
    expect
  }) => {
    addFlow(place, "scripted", stubborn)
    const server = await serve()
    const { run_id } = await server.call("scripted", { _wait_seconds: 0 })
    const runId = String(run_id)
    await eventually("script, shells and sleeps run", 10, () => leftoversOf(runId).length >= 4)
    expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
      status: "cancelled",
      // The run obeyed and ended its script itself, by force: the run needed no signal.
      cancellation: { outcome: "cancelled", rung: "inbox" }
    })
    // The guard leaves a moment after the run.
    await eventually("nothing is left", 1, () => leftoversOf(runId).length === 0)
    expect(typesOf(logOf(place.home, runId)).at(-1)).toBe("workflow_cancelled")
  })

  it("a run that does not answer takes a KILL, says so, and leaves nothing of its script", async ({
    place,
    serve,
    expect
  }) => {
    addFlow(place, "scripted", stubborn)
    const server = await serve()
    const { run_id } = await server.call("scripted", { _wait_seconds: 0 })
    const runId = String(run_id)
    await eventually("script, shells and sleeps run", 10, () => leftoversOf(runId).length >= 4)
    const pid = await eventually("the run has a process", 5, () => pidOf(place.home, runId))
    signal(pid, "SIGSTOP")
    expect(await server.call("conductor_cancel_run", { run_id })).toMatchObject({
      status: "cancelled",
      cancellation: { outcome: "cancelled", rung: "kill" }
    })
    await eventually("nothing is left", 8, () => leftoversOf(runId).length === 0)
    const log = logOf(place.home, runId)
    expect(gapless(log)).toBe(true)
    expect(typesOf(log).at(-1)).toBe("workflow_cancelled")
  })
})
