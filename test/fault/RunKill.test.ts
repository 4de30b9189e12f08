/** The process of a run that is killed: what is told of the run stays true, and nothing of it stays behind. */
import { describe, expect } from "vitest"
import { eventually, randomMoment } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { gapless, leftoversOf, logOf, pidOf, typesOf } from "../support/fault/RunRecords.ts"
import { signal } from "../../src/platform/ProcessGroup.ts"

const kills = 15
/** Milliseconds. The workflow takes about two seconds, so most runs are killed and some get to their end. */
const span = 2_400
/** Seconds: five from TERM to KILL, and a moment to notice. */
const limit = 8

/** Each turn has a child, and a grandchild in a session of its own; both ignore TERM. */
const restless = looping(
  `trap '' TERM; setsid sh -c 'trap "" TERM; sleep 0.4' & sh -c 'trap "" TERM; sleep 0.3'; wait; echo turn`
)

describe("a run whose process is killed at any moment", () => {
  it("is lost or has truly ended, has a whole log, and leaves no script behind", async ({ place, serve }) => {
    addFlow(place, "restless", restless)
    const server = await serve()
    const runs: Array<string> = []
    const deaths: Array<Promise<void>> = []
    const kill = async (runId: string): Promise<void> => {
      await randomMoment(span)
      const pid = pidOf(place.home, runId)
      if (pid !== undefined) signal(pid, "SIGKILL")
      // Before anybody looks at the run, since a look clears up as well.
      await eventually(`nothing is left of ${runId}`, limit, () => leftoversOf(runId).length === 0)
    }
    for (let started = 0; started < kills; started++) {
      const { run_id } = await server.call("restless", { rounds: 4 })
      runs.push(String(run_id))
      deaths.push(kill(String(run_id)))
    }
    await Promise.all(deaths)

    for (const run_id of runs) {
      const { status } = await server.call("conductor_run_status", { run_id })
      const log = logOf(place.home, run_id)
      expect(gapless(log)).toBe(true)
      expect(status).toBe(typesOf(log).at(-1) === "workflow_completed" ? "completed" : "lost")
    }
    const { total } = await server.call("conductor_list_runs", { status: "running" })
    expect(total).toBe(0)
  })

  it("is told apart from a run that ended: await ends at once, with what happened and what to do", async ({
    place,
    serve
  }) => {
    addFlow(place, "restless", restless)
    const [server, other] = await Promise.all([serve(), serve()])
    const { run_id } = await server.call("restless", { rounds: 100 })
    const waiting = Promise.all([server, other].map((each) => each.call("conductor_await_run", { run_id })))
    const pid = await eventually("the run has a process", 5, () => pidOf(place.home, String(run_id)))
    signal(pid, "SIGKILL")
    for (const answer of await waiting) {
      expect(answer).toMatchObject({
        status: "lost",
        error: { type: "Lost", message: expect.stringMatching(/gone without a word.*Its last event is/) },
        next: expect.stringContaining("call the tool again")
      })
    }
    await eventually("nothing is left", limit, () => leftoversOf(String(run_id)).length === 0)
  })
})
