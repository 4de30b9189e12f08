import stringWidth from "string-width"
import { describe, expect, it } from "vitest"
import { cutToWidth, renderTable } from "../../../src/cli/output/Table.ts"

const columns = [{ title: "name" }, { title: "n", align: "right" }, { title: "what" }] as const
const style = (width: number) => ({ title: (text: string) => text.toUpperCase(), width })

describe("a table", () => {
  it("aligns columns by what a terminal shows, whatever the characters are", () => {
    const rows = [
      ["日本語", "1", "x"],
      ["a", "100", "👩‍👩‍👧 y"]
    ]
    expect(renderTable(columns, rows, style(Number.POSITIVE_INFINITY))).toBe(
      ["NAME      N  WHAT", "日本語    1  x", "a       100  👩‍👩‍👧 y"].join("\n")
    )
  })

  it("fits a narrow terminal by cutting its last column", () => {
    const table = renderTable(columns, [["name", "1", "a long description that does not fit"]], style(30))
    const lines = table.split("\n")
    expect(lines[1]).toBe("name  1  a long description t…")
    expect(lines.every((line) => stringWidth(line) <= 30)).toBe(true)
  })
})

describe("cutting", () => {
  it("leaves alone what fits, to the last column", () => {
    expect(cutToWidth("日本", 4)).toBe("日本")
  })

  it("never cuts a wide character or an emoji in half", () => {
    expect(cutToWidth("日本語", 4)).toBe("日…")
    expect(cutToWidth("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4)).toBe("👩‍👩‍👧…")
  })
})
