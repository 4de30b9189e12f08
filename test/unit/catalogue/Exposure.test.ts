import { describe, expect, it } from "@effect/vitest"
import { decideExposure, exposureRules, type ExposureSubject } from "../../../src/catalogue/Exposure.ts"

const workflow: ExposureSubject = {
  registry: "official",
  key: "deploy",
  tool: "deploy_app",
  declared: { _tag: "Absent" }
}
const hidden: ExposureSubject = { ...workflow, declared: { _tag: "Known", expose: false } }
const unreadable: ExposureSubject = { ...workflow, declared: { _tag: "Unknown", reason: "line 3: a stray quote" } }

const decide = (subject: ExposureSubject, allow: ReadonlyArray<string> = [], deny: ReadonlyArray<string> = []) =>
  decideExposure(exposureRules({ allow, deny }), subject)

describe("the exposure ladder", () => {
  it("a workflow is served unless something says no", () => {
    expect(decide(workflow)).toEqual({ _tag: "Exposed", exposedBy: "on by default" })
  })

  it("mcp.expose: false hides a workflow", () => {
    expect(decide(hidden)).toMatchObject({ _tag: "Excluded", rung: "expose" })
  })

  it("--allow overrides mcp.expose: false", () => {
    expect(decide(hidden, ["deploy"])._tag).toBe("Exposed")
  })

  it("--deny overrides --allow and mcp.expose: true", () => {
    const open: ExposureSubject = { ...workflow, declared: { _tag: "Known", expose: true } }
    expect(decide(open, ["deploy"], ["dep*"])).toEqual({
      _tag: "Excluded",
      rung: "deny",
      reason: "--deny 'dep*' matches the workflow key 'deploy'"
    })
  })

  it("with --allow, only what it names is served", () => {
    expect(decide(workflow, ["review"])).toMatchObject({ _tag: "Excluded", rung: "allow" })
  })

  it("unknown exposure is closed, and the reason and the remedy are told", () => {
    const decision = decide(unreadable)
    expect(decision).toMatchObject({ _tag: "Excluded", rung: "unknown-exposure" })
    expect(decision).toHaveProperty("reason", expect.stringMatching(/line 3: a stray quote.*--allow/))
  })

  it("unknown exposure is open to an --allow that names the workflow, and --deny still wins", () => {
    expect(decide(unreadable, ["official/deploy"])._tag).toBe("Exposed")
    expect(decide(unreadable, ["official/deploy"], ["*"])).toMatchObject({ rung: "deny" })
  })

  it.each(["deploy", "official/deploy", "official/*", "deploy_app"])(
    "%s matches key, registry/key or tool name",
    (glob) => {
      expect(decide(workflow, [], [glob])).toMatchObject({ rung: "deny" })
      expect(decide(hidden, [glob])._tag).toBe("Exposed")
    }
  )

  it("a pattern in another case matches nothing", () => {
    expect(decide(workflow, [], ["Deploy"])._tag).toBe("Exposed")
  })
})
