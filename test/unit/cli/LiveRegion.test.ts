import { describe, expect, it } from "vitest"
import { drawLines, eraseLines } from "../../../src/cli/output/LiveRegion.ts"

const at = (columns: number) => ({ columns, rows: 24 })

describe("the lines at the bottom of a terminal", () => {
  it("are drawn without a line end, so that the last one is the one where a person types", () => {
    expect(drawLines(["one", "two"])).toBe("one\ntwo")
  })

  it("are erased from the first one on", () => {
    expect(eraseLines(["one", "two", "three"], at(80))).toBe("\r\u001b[2A\u001b[J")
    expect(eraseLines(["one"], at(80))).toBe("\r\u001b[J")
    expect(eraseLines([], at(80))).toBe("")
  })

  it("are more rows in a terminal that became narrower, and no more in a wider one", () => {
    expect(eraseLines(["x".repeat(79), "two"], at(30))).toBe("\r\u001b[3A\u001b[J")
    expect(eraseLines(["x".repeat(79), "two"], at(200))).toBe("\r\u001b[1A\u001b[J")
  })

  it("are counted as a terminal shows them: colours take no room, wide characters two columns", () => {
    expect(eraseLines(["\u001b[2mone\u001b[22m", "漢字漢字"], at(4))).toBe("\r\u001b[2A\u001b[J")
  })
})
