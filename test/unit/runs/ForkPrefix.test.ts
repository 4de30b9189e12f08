import { describe, expect, it } from "vitest"
import { Either } from "effect"
import { forkPrefix } from "../../../src/runs/ForkPrefix.ts"
import { completedStep, event, started } from "../../support/runs/Specs.ts"

const begun = (seq: number, agent_name: string, more = {}) =>
  event(seq, "agent_started", { agent_name, iteration: 1, agent_type: "set", ...more })

const twice = [started, begun(2, "one"), completedStep(3, "one"), begun(4, "one"), completedStep(5, "one")]

describe("the prefix of a fork", () => {
  it("ends before the latest start of the step", () => {
    expect(forkPrefix(twice, "one")).toEqual(Either.right(twice.slice(0, 3)))
  })

  it("is none for a step that has not started, with those that have, each once", () => {
    expect(forkPrefix([...twice, begun(6, "two")], "three")).toEqual(Either.left(["one", "two"]))
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
