import { describe, expect, it } from "vitest"
import { searchWorkflows } from "../../../src/mcp/WorkflowSearch.ts"
import { entry } from "./Samples.ts"

const named = (tool: string, description: string) =>
  entry({
    tool,
    title: tool,
    key: tool,
    description,
    registry: "team",
    inputSchema: { type: "object", properties: {} }
  })

const entries = [
  named("deploy_service", "Roll a service out to production."),
  named("review_pr", "Read a pull request and report what is wrong with it."),
  named("summarise_reviews", "Summarise the reviews of a product."),
  named("übersetze_text", "Translate a text.")
]
const found = (query: string) => searchWorkflows(entries, query).map(({ tool }) => tool)

describe("searching workflows", () => {
  it("without words everything is listed, in the order of the catalogue", () => {
    expect(found("")).toEqual(entries.map(({ tool }) => tool))
    expect(found(" ,. ")).toHaveLength(4)
  })

  it("words need not stand together, and those in names count more than those in descriptions", () => {
    expect(found("request review")).toEqual(["review_pr", "summarise_reviews"])
    expect(found("production deploy")[0]).toBe("deploy_service")
  })

  it("a plural finds the singular, and the reverse", () => {
    expect(found("services")).toContain("deploy_service")
    expect(found("review")).toContain("summarise_reviews")
  })

  it("case does not matter, in any script", () => {
    expect(found("ÜBERSETZE")).toEqual(["übersetze_text"])
  })

  it("what matches no word is not listed", () => {
    expect(found("kubernetes")).toEqual([])
  })
})
