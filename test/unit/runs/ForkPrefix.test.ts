import { describe, expect, it } from "vitest"
import { Either } from "effect"
import { forkPrefix } from "../../../src/runs/ForkPrefix.ts"
import { completedStep, event, started, startedData } from "../../support/runs/Specs.ts"

const begun = (seq: number, agent_name: string, more = {}) =>
  event(seq, "agent_started", { agent_name, iteration: 1, agent_type: "set", ...more })

const routed = (seq: number, from_agent: string, to_agent: string, more = {}) =>
  event(seq, "route_taken", { from_agent, to_agent, ...more })

const twice = [
  started,
  begun(2, "one"),
  completedStep(3, "one"),
  routed(4, "one", "one"),
  begun(5, "one"),
  completedStep(6, "one")
]

describe("the prefix of a fork", () => {
  it("ends before the latest start of the step", () => {
    expect(forkPrefix(twice, "one")).toEqual(Either.right(twice.slice(0, 4)))
  })

  it("ends before the step began, and not before it went on after it was cut off", () => {
    const below = routed(7, "inner", "outer", { subworkflow_path: ["one"] })
    const resumed = [...twice.slice(0, 5), below, event(8, "workflow_started", startedData), begun(9, "one")]
    expect(forkPrefix(resumed, "one")).toEqual(Either.right(twice.slice(0, 4)))
  })

  it("ends before the last of several visits, also of gates, which have no routes", () => {
    const prompt = { prompt: "?", options: ["y"], option_details: [] }
    const visit = (seq: number, name: string, to: string) => [
      event(seq, "agent_started", { agent_name: name, iteration: 1, agent_type: "human_gate" }),
      event(seq + 1, "gate_presented", { agent_name: name, prompt_id: `${seq}`, ...prompt }),
      event(seq + 2, "gate_resolved", {
        agent_name: name,
        prompt_id: `${seq}`,
        selected_option: "y",
        route: to,
        additional_input: {}
      })
    ]
    const gates = [started, ...visit(2, "menu", "edit"), ...visit(5, "edit", "menu"), ...visit(8, "menu", "edit")]
    expect(forkPrefix(gates, "menu")).toEqual(Either.right(gates.slice(0, 7)))
    expect(forkPrefix(gates, "edit")).toEqual(Either.right(gates.slice(0, 4)))
  })

  it("is none for a step that has not started, with those that have, each once", () => {
    expect(forkPrefix([...twice, begun(7, "two")], "three")).toEqual(Either.left(["one", "two"]))
  })

  it("does not begin inside a group or a sub-workflow", () => {
    const inside = [
      started,
      begun(2, "member", { group_name: "group" }),
      begun(3, "nested", { subworkflow_path: ["step"] })
    ]
    expect(forkPrefix(inside, "member")).toEqual(Either.left([]))
    expect(forkPrefix(inside, "nested")).toEqual(Either.left([]))
  })
})
