/** Hosts end in many ways, and often there is a launcher in between. No server may stay behind, and no run may end. */
import { describe, expect } from "vitest"
import { signal } from "../../src/platform/ProcessGroup.ts"
import { eventually } from "../support/fault/Eventually.ts"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow, looping } from "../support/fault/Flows.ts"
import { launch, type Launched, launchers } from "../support/fault/Launcher.ts"
import { processesWith } from "../support/fault/RunRecords.ts"

/** Milliseconds. */
const limit = 500
/** Milliseconds between two notifications of progress. */
const progressInterval = 1_000

describe("a host that stops reading in the middle of progress", () => {
  it("ends the server with the next word that cannot be delivered, and not the run", async ({ place, serve }) => {
    addFlow(place, "loop", looping("sleep 0.1"))
    const server = await serve()
    const { run_id } = await server.call("loop", { rounds: 40 })
    server.send({
      id: 1,
      method: "tools/call",
      params: { name: "conductor_await_run", arguments: { run_id }, _meta: { progressToken: "t" } }
    })
    await server.until(() => server.messages.find(({ method }) => method === "notifications/progress"))
    const left = Date.now()
    server.process.stdout.destroy()
    const { at, code } = await server.ended
    expect(at - left).toBeLessThan(progressInterval + limit)
    expect(code).toBe(0)

    const other = await serve()
    expect(await other.call("conductor_run_status", { run_id })).toMatchObject({ status: "running" })
    expect(await other.call("conductor_await_run", { run_id })).toMatchObject({ status: "completed" })
  })
})

describe("a server behind a launcher", () => {
  const ends = {
    "stdin ends": { end: ({ closeStdin }: Launched) => closeStdin(), seconds: 1 },
    // Then the server has to find out by itself, for which it looks once a second.
    "the launcher is told to end": { end: ({ launcher }: Launched) => launcher.kill("SIGTERM"), seconds: 3 },
    "the launcher is killed": { end: ({ launcher }: Launched) => launcher.kill("SIGKILL"), seconds: 3 }
  }
  for (const [name, command] of Object.entries(launchers)) {
    for (const [how, { end, seconds }] of Object.entries(ends)) {
      it(`${name}: is gone when ${how}`, async ({ place, onTestFinished }) => {
        const launched = await launch(place, command)
        onTestFinished(() => processesWith(place.folder).forEach((pid) => signal(pid, "SIGKILL")))
        end(launched)
        await eventually("no process of the chain is left", seconds, () => processesWith(place.folder).length === 0)
      })
    }
  }
})
