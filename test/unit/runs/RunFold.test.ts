import { describe, expect, it } from "@effect/vitest"
import { pinOf } from "../../../src/domain/Pin.ts"
import { Float } from "../../../src/domain/Value.ts"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { toView, type Custody } from "../../../src/runs/FoldedView.ts"
import { advance, emptyFold } from "../../../src/runs/RunFold.ts"
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

const gateData = {
  agent_name: "one",
  prompt_id: "one:a:1",
  prompt: "Go on?",
  options: ["yes"],
  option_details: [{ label: "Yes", value: "yes", route: "two", prompt_for: "note", multiline: false }]
}
const presented = event(2, "gate_presented", gateData)
const resolved = event(3, "gate_resolved", {
  agent_name: "one",
  prompt_id: "one:a:1",
  selected_option: "yes",
  route: "two",
  additional_input: {}
})

describe("the fold of a run", () => {
  it("that has opened a gate waits with what it asks, until the answer", () => {
    expect(viewOf(alive, started, presented)).toMatchObject({
      status: "awaiting_gate",
      pid: 4242,
      progress: { step: "one", stepsCompleted: 0 },
      gate: {
        step: "one",
        promptId: "one:a:1",
        prompt: "Go on?",
        options: [{ value: "yes", label: "Yes", route: "two", promptFor: "note" }]
      }
    })
    const answered = viewOf(alive, started, presented, resolved)
    expect(answered).toMatchObject({ status: "running", progress: { stepsCompleted: 1 } })
    expect(answered.gate).toBeUndefined()
  })

  it("waits as long as one of its sub-workflows has an open gate, and shows the one that was asked first", () => {
    const open = (slot: string, seq: number) =>
      event(seq, "gate_presented", { ...gateData, prompt_id: slot, subworkflow_path: [slot] })
    const answer = { prompt_id: "s0", selected_option: "yes", route: "two", additional_input: {} }
    const first = event(4, "gate_resolved", { ...answer, agent_name: "one", subworkflow_path: ["s0"] })
    const place = { group_name: "each", item_key: "1", index: 1, slot_key: "s1" }
    const abandoned = { ...place, elapsed: 1, error_type: "E", message: "m", suggestion: null }
    const both = [started, open("s0", 2), open("s1", 3)]
    expect(viewOf(alive, ...both)).toMatchObject({ gate: { promptId: "s0" }, progress: { step: "s1/one" } })
    expect(viewOf(alive, ...both, first)).toMatchObject({ status: "awaiting_gate", gate: { promptId: "s1" } })
    expect(viewOf(alive, ...both, first, event(5, "for_each_item_failed", abandoned)).status).toBe("running")
  })

  it("has no gate any more of a step that begins again, whatever that asks then", () => {
    const question = (seq: number, prompt_id: string, more = {}) =>
      event(seq, "gate_presented", { ...gateData, prompt_id, step_type: "questions", ...more })
    const below = question(3, "below", { subworkflow_path: ["s"] })
    const resumed = event(4, "workflow_started", startedData)
    const again = event(5, "agent_started", { agent_name: "one", iteration: 1, agent_type: "questions" })
    const opened = (...events: ReadonlyArray<RunEvent>) =>
      foldOf(started, question(2, "first"), below, ...events).gates.map(({ gate }) => gate.promptId)
    expect(opened(resumed)).toEqual(["first", "below"])
    expect(opened(resumed, again)).toEqual(["below"])
    expect(opened(resumed, again, question(6, "first"))).toEqual(["below", "first"])
    expect(opened(resumed, again, question(6, "other"))).toEqual(["below", "other"])
  })

  it("has no gates any more in the items of a group that begins anew", () => {
    const below = event(2, "gate_presented", { ...gateData, subworkflow_path: ["each[0]"] })
    const beside = event(3, "gate_presented", { ...gateData, prompt_id: "beside", subworkflow_path: ["other"] })
    const group = { group_name: "each", item_count: 1, max_concurrent: 1, failure_mode: "fail_fast" as const }
    const fold = foldOf(started, below, beside, event(4, "for_each_started", group))
    expect(fold.gates.map(({ gate }) => gate.promptId)).toEqual(["beside"])
  })

  it("that ended at a gate asks the same again when it goes on", () => {
    const cancelled = event(3, "workflow_cancelled", { elapsed: 1, reason: "cancelled", agent_name: "one" })
    const ended = viewOf(alive, started, presented, cancelled)
    expect(ended.status).toBe("cancelled")
    expect(ended.gate).toBeUndefined()
    const resumed = viewOf(alive, started, presented, cancelled, event(4, "workflow_started", startedData))
    expect(resumed).toMatchObject({ status: "awaiting_gate", gate: { promptId: "one:a:1" } })
  })

  it("whose process vanished at a gate is lost and can be answered no more", () => {
    const view = viewOf(gone, started, presented)
    expect(view).toMatchObject({ status: "lost", error: { step: "one" } })
    expect(view.gate).toBeUndefined()
  })

  it("counts a question of several as no step", () => {
    const question = { step_type: "questions", agent_name: "one", prompt_id: "one:a:1" } as const
    const answer = event(3, "gate_resolved", { ...question, selected_option: "yes", route: "", additional_input: {} })
    expect(
      viewOf(alive, started, event(2, "gate_presented", { ...gateData, ...question }), answer).progress
    ).toMatchObject({
      stepsCompleted: 0
    })
  })

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
    const nested = event(3, "workflow_completed", { elapsed: 1, output: {}, subworkflow_path: ["sub"] })
    expect(viewOf(alive, started, nested).status).toBe("running")
  })

  it("names the step of a sub-workflow behind the way to it, counts it as part of its step, and adds its tokens", () => {
    const tokens = { tokens: 5, input_tokens: 2, output_tokens: 3, cost_usd: null }
    const answer = { agent_name: "ask", elapsed: 1, model: "m", ...tokens, output: "x", output_keys: [] }
    const nested = event(2, "agent_completed", { ...answer, subworkflow_path: ["sub"] })
    expect(foldOf(started, nested)).toMatchObject({
      step: "sub/ask",
      stepsCompleted: 0,
      usage: { input_tokens: 2, output_tokens: 3 }
    })
    const place = { agent_name: "sub", parent_path: [], slot_key: "sub", iteration: 1 }
    const done = event(3, "subworkflow_completed", { ...place, elapsed: 1, output: {} })
    expect(foldOf(started, nested, done)).toMatchObject({ step: "sub", stepsCompleted: 1 })
  })

  it("is at the group while its members run, and counts each member once", () => {
    const tokens = { tokens: 5, input_tokens: 2, output_tokens: 3, cost_usd: 0.5 }
    const member = { group_name: "p", agent_name: "one", index: 0, elapsed: 1 }
    const events = [
      event(2, "parallel_started", { group_name: "p", agents: ["one", "two"] }),
      { ...completedStep(3, "one"), data: { ...completedStep(3, "one").data, group_name: "p", index: 0 } } as RunEvent,
      event(4, "parallel_agent_completed", { ...member, agent_type: "set", model: null, output: 1, ...tokens })
    ]
    expect(foldOf(started, ...events)).toMatchObject({ step: "p", stepsCompleted: 1, usage: { cost_usd: 0.5 } })
  })

  it("counts a for_each group as one step, and the tokens of its items", () => {
    const tokens = { tokens: 5, input_tokens: 2, output_tokens: 3, cost_usd: null }
    const item = { group_name: "f", item_key: "0", index: 0, elapsed: 1, model: null, output: 1 }
    const events = [
      event(2, "for_each_started", { group_name: "f", item_count: 1, max_concurrent: 1, failure_mode: "fail_fast" }),
      event(3, "for_each_item_completed", { ...item, ...tokens }),
      event(4, "for_each_completed", { group_name: "f", elapsed: 1, success_count: 1, failure_count: 0, output: {} })
    ]
    expect(foldOf(started, ...events)).toMatchObject({ step: "f", stepsCompleted: 1, usage: { input_tokens: 2 } })
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
