import { describe, expect, it } from "@effect/vitest"
import { pinOf } from "../../../src/domain/Pin.ts"
import { Float } from "../../../src/domain/Value.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { advance, emptyFold, toView, type Custody } from "../../../src/runs/RunFold.ts"
import { completedStep, event, specOf, started, startedData } from "../../support/runs/Specs.ts"

const files = { events: "/e", stdout: "/o", stderr: "/r" }
const alive: Custody = { _tag: "Held", pid: 4242 }
const gone: Custody = { _tag: "Lost", reason: "The process is gone." }

const foldOf = (...events: ReadonlyArray<RunEvent>) => events.reduce(advance, emptyFold(specOf("a")))
const viewOf = (custody: Custody, ...events: ReadonlyArray<RunEvent>) => toView(foldOf(...events), custody, files)

const failed = event(3, "workflow_failed", {
  error_type: "KeyError",
  message: "no such key",
  elapsed: 1,
  agent_name: "two",
  output: { partial: new Float(1) }
})
const completed = event(3, "workflow_completed", { elapsed: 1, output: { answer: new Float(3) } })

describe("the fold of a run", () => {
  it("is a running run with the name and size that its first event gives", () => {
    expect(viewOf(alive, started)).toMatchObject({
      status: "running",
      workflow: { name: "Example workflow", key: "example" },
      progress: { stepsCompleted: 0, stepsTotal: 2, step: null },
      pid: 4242,
      lastEvent: { seq: 1, type: "workflow_started" }
    })
  })

  it("counts finished steps and names the last one", () => {
    expect(viewOf(alive, started, completedStep(2, "one")).progress).toMatchObject({ step: "one", stepsCompleted: 1 })
  })

  it("adds up tokens and cost, and knows no cost until one is known", () => {
    const answer = (seq: number, cost_usd: number | null) =>
      event(seq, "agent_completed", {
        agent_name: "one",
        elapsed: 1,
        model: "m",
        tokens: 5,
        input_tokens: 2,
        output_tokens: 3,
        cost_usd,
        output: "x",
        output_keys: []
      })
    expect(foldOf(started, answer(2, null)).usage).toEqual({ input_tokens: 2, output_tokens: 3, cost_usd: null })
    expect(foldOf(started, answer(2, null), answer(3, 0.5)).usage.cost_usd).toBe(0.5)
  })

  it("keeps the output and its number kinds when the workflow completes", () => {
    const view = viewOf(gone, started, completed)
    expect(view.status).toBe("completed")
    expect(view.output).toEqual({ answer: new Float(3) })
    expect(view.endedAt).toBe("2026-01-01T00:00:03.000Z")
  })

  it("keeps the error class, the step and what a terminated workflow wanted to say", () => {
    expect(viewOf(gone, started, failed)).toMatchObject({
      status: "failed",
      error: { type: "KeyError", message: "no such key", step: "two" },
      output: { partial: new Float(1) }
    })
  })

  it("says that a cancelled run was cancelled and why", () => {
    const end = event(2, "workflow_cancelled", { elapsed: 1, reason: "Cancelled by cli.", agent_name: "one" })
    expect(viewOf(gone, started, end)).toMatchObject({
      status: "cancelled",
      error: { type: "Cancelled", message: "Cancelled by cli.", step: "one" }
    })
  })

  it("has the pin that its latest start told", () => {
    const pin = pinOf("changed")
    const again = event(4, "workflow_started", {
      ...startedData,
      system: { workflow_pin: pin, included_files: {} }
    })
    expect(viewOf(alive, started, failed, again)).toMatchObject({ status: "running", workflow: { pin } })
  })

  it("began, if it is a fork, with its own start and not with that of the run it was copied from", () => {
    const copied = event(1, "workflow_started", { ...startedData, run_id: "other" })
    const own = event(3, "workflow_started", startedData)
    expect(viewOf(alive, copied).startedAt).toBe("2026-01-01T00:00:00.000Z")
    expect(viewOf(alive, copied, completedStep(2, "one"), own)).toMatchObject({
      startedAt: "2026-01-01T00:00:03.000Z",
      progress: { stepsCompleted: 1 }
    })
  })

  it("is lost when the process is gone and the log has no end, and says what happened last and what to do", () => {
    const view = viewOf(gone, started, completedStep(2, "one"))
    expect(view).toMatchObject({ status: "lost", error: { type: "Lost", step: "one" } })
    expect(view.error?.message).toMatch(/process is gone.*set_completed \(number 2.*stderr.*conductor resume a'/s)
    expect(view.pid).toBeUndefined()
  })

  it("runs again after a second start, whatever ended it before", () => {
    const again = event(4, "workflow_started", startedData)
    expect(viewOf(alive, started, failed, again)).toMatchObject({
      status: "running",
      startedAt: "2026-01-01T00:00:01.000Z"
    })
    expect(viewOf(alive, started, failed, again).error).toBeUndefined()
  })

  it("does not end with a sub-workflow", () => {
    const nested = { ...completed, data: { ...completed.data, subworkflow_path: ["sub"] } } as unknown as RunEvent
    expect(viewOf(alive, started, nested).status).toBe("running")
  })

  it("tolerates events that it does not know", () => {
    const unknown = { seq: 2, type: "gate_of_the_future", timestamp: 1_767_225_602, data: {} } as unknown as RunEvent
    expect(viewOf(alive, started, unknown).lastEvent).toMatchObject({ seq: 2, type: "gate_of_the_future" })
  })

  it("keeps warnings once each, and not without end", () => {
    const warnings = Array.from({ length: 60 }, (_, index) =>
      event(index + 2, "run_warning", { warning: `warning ${Math.floor(index / 2)}` })
    )
    expect(foldOf(started, ...warnings).warnings).toEqual(Array.from({ length: 20 }, (_, index) => `warning ${index}`))
  })
})
