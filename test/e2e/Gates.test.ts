/** A gate from a tool call to its answer: the host waits for a person, and the person answers in a terminal. */
import { spawnSync } from "node:child_process"
import { describe, expect } from "vitest"
import { it } from "../support/fault/FaultTest.ts"
import { addFlow } from "../support/fault/Flows.ts"
import { program } from "../support/Program.ts"
import { approval } from "../support/runs/Workflows.ts"
import type { Place } from "./mcp/ServerProcess.ts"

const conductor = ({ environment }: Place, ...words: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...words], {
    env: environment,
    encoding: "utf8"
  })
  return { code: status, stdout, stderr }
}

describe("a workflow with a gate", () => {
  it("waits through the death of its server, refuses a wrong answer, and completes with a right one", async ({
    place,
    serve
  }) => {
    addFlow(place, "approval", approval)
    const victim = await serve()
    const { run_id } = await victim.call("approval")
    const waiting = await victim.call("conductor_await_run", { run_id })
    expect(waiting).toMatchObject({
      status: "awaiting_gate",
      gate: {
        step: "approve",
        prompt: "Ship it?",
        options: [
          { value: "yes", label: "Ship" },
          { value: "no", label: "Hold", prompt_for: "why" }
        ]
      },
      next: expect.stringContaining(`conductor gate respond ${String(run_id)}`)
    })
    victim.process.kill("SIGKILL")
    await victim.ended

    const run = String(run_id)
    expect(conductor(place, "gate", "list").stdout).toContain(`${run}  approval`)
    expect(conductor(place, "gate", "respond", run, "maybe")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Valid answers: yes (Ship), no (Hold).")
    })
    expect(conductor(place, "status", run, "--json").stdout).toContain('"status": "awaiting_gate"')
    expect(conductor(place, "gate", "respond", run, "no", "--input", "why=a=b")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Run ${run} took the answer 'no'.`)
    })

    const witness = await serve()
    expect(await witness.call("conductor_await_run", { run_id })).toMatchObject({
      status: "completed",
      output: { answer: "no", why: "a=b" }
    })
    expect(conductor(place, "gate", "respond", run, "yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("waits for no answer (completed)")
    })
  })

  it("asks nobody with --skip-gates, and takes the first option", ({ place }) => {
    addFlow(place, "approval", approval)
    const { code, stdout } = conductor(place, "run", `${place.folder}/approval.yaml`, "--skip-gates")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ answer: "yes", why: "" })
  })
})
