import { describe, expect, it } from "vitest"
import { startupSummary } from "../../../src/mcp/Summary.ts"
import { contents, entry, options, soak } from "./Samples.ts"

describe("the start-up summary", () => {
  it("says what is served and why, and what is not and why not", () => {
    const summary = startupSummary(
      contents({
        entries: [entry(), { ...soak, degraded: "soak.yaml line 3: unknown key 'agent'" }],
        excluded: [{ registry: "team", key: "secret-work", rung: "deny", reason: "matches --deny secret-*" }],
        collisions: [
          {
            name: "build",
            tools: [
              { tool: "a_build", registry: "a", key: "build" },
              { tool: "b_build", registry: "b", key: "build" }
            ]
          }
        ],
        warnings: ["registry 'gone': no such folder"]
      }),
      options()
    )
    expect(summary).toMatchInlineSnapshot(`
      "conductor serves 2 workflows, each as a tool (at most 25)
        toolsets          workflows, runs
        launch directory  /base
      tools
        check_release  examples/check-release  sha256:15205932  exposed by default
        soak           examples/soak           sha256:c06f543b  exposed by default; inputs unknown: soak.yaml line 3: unknown key 'agent'
      names that several workflows wanted, and none got
        build: a/build is a_build, b/build is b_build
      not served
        team/secret-work  deny  matches --deny secret-*
      warnings
        registry 'gone': no such folder
      "
    `)
  })

  it("says how to see one tool a workflow when there are too many for that", () => {
    expect(startupSummary(contents({ mode: "discovery" }), options({ maxDirectTools: 1 }))).toContain(
      "conductor serves 2 workflows, through find and run (more than 1, see --max-direct-tools)"
    )
  })

  it("no escape sequence of a file name reaches the terminal", () => {
    const summary = startupSummary(contents({ warnings: ["\u001b[2Jfolder\u202e"] }), options())
    expect(summary).toContain("  folder\n")
  })
})
