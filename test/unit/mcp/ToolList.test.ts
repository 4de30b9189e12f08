import { describe, expect, it } from "vitest"
import { instructionsFor } from "../../../src/mcp/definitions/Instructions.ts"
import { toolList } from "../../../src/mcp/definitions/ToolList.ts"
import { reservedNames } from "../../../src/mcp/definitions/ToolNames.ts"
import { workflowTool } from "../../../src/mcp/definitions/WorkflowTool.ts"
import { contents, entry } from "./Samples.ts"

const names = (...parameters: Parameters<typeof toolList>) => toolList(...parameters).map(({ name }) => name)
const runTools = ["conductor_await_run", "conductor_run_status", "conductor_cancel_run", "conductor_list_runs"]

describe("the list of tools", () => {
  it("workflow tools come first, then the run tools, in the same order every time", () => {
    expect(names(contents(), ["workflows", "runs"])).toEqual(["check_release", "soak", ...runTools])
    expect(names(contents(), ["runs", "workflows"])).toEqual(["check_release", "soak", ...runTools])
  })

  it("in discovery mode the pair stands for the workflows, which are then not published themselves", () => {
    expect(names(contents({ mode: "discovery" }), ["workflows", "runs"])).toEqual([
      "conductor_find_workflow",
      "conductor_run_workflow",
      ...runTools
    ])
  })

  it("a toolset that is off publishes nothing", () => {
    expect(names(contents(), ["runs"])).toEqual(runTools)
    expect(names(contents(), ["workflows"])).toEqual(["check_release", "soak"])
    expect(names(contents({ mode: "discovery" }), ["runs"])).toEqual(runTools)
  })

  it("every tool that is not a workflow has a reserved name", () => {
    const all = [
      ...names(contents({ entries: [] }), ["runs"]),
      ...names(contents({ mode: "discovery" }), ["workflows"])
    ]
    expect([...all].sort()).toEqual([...reservedNames].sort())
  })

  it("looking, waiting, listing and finding are read-only, so that hosts run them side by side", () => {
    const readOnly = [...toolList(contents({ mode: "discovery" }), ["workflows", "runs"])]
      .filter(({ annotations }) => annotations.readOnlyHint)
      .map(({ name }) => name)
    expect(readOnly).toEqual([
      "conductor_find_workflow",
      "conductor_await_run",
      "conductor_run_status",
      "conductor_list_runs"
    ])
  })

  it("a workflow that does not say whether it destroys something makes no claim about it", () => {
    expect(workflowTool(entry()).annotations).not.toHaveProperty("destructiveHint")
    expect(workflowTool(entry({ destructive: false })).annotations.destructiveHint).toBe(false)
  })
})

describe("the instructions", () => {
  it("keep 2 KB and mention only tools that are published", () => {
    expect(Buffer.byteLength(instructionsFor(["workflows", "runs"]))).toBeLessThanOrEqual(2_048)
    expect(instructionsFor(["workflows"])).not.toContain("conductor_await_run")
    expect(instructionsFor(["runs"])).not.toContain("conductor_find_workflow")
  })
})
