import { describe, expect, it } from "vitest"
import { pageAnswer } from "../../../src/mcp/PageAnswer.ts"
import { largestText } from "../../../src/mcp/RunAnswer.ts"

const item = (name: number, size: number) => ({ name, text: "x".repeat(size) })
const items = Array.from({ length: 30 }, (_, index) => item(index, 1_000))
const page = {
  key: "items",
  items,
  brief: ({ name }: { readonly [key: string]: unknown }) => ({ name: Number(name), text: "cut" }),
  offset: 10,
  total: 40,
  next: (nextOffset: number | undefined) => `next ${nextOffset}`
}

describe("a page of a list", () => {
  it("the last page names no next one", () => {
    expect(pageAnswer(page).structuredContent).toEqual({ items, total: 40, next: "next undefined" })
  })

  it("a text block that holds fewer items says where it stops", () => {
    const { text } = pageAnswer(page)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largestText)
    const shown = JSON.parse(text) as { items: ReadonlyArray<unknown>; next_offset: number; next: string }
    expect(shown.items).toHaveLength(7)
    expect(shown.next_offset).toBe(17)
    expect(shown.next).toBe("next 17")
  })

  it("an item that does not fit alone is shown in brief, so that reading on ends", () => {
    const { text } = pageAnswer({ ...page, items: [item(1, 10_000), item(2, 10)] })
    expect(JSON.parse(text)).toMatchObject({ items: [{ name: 1, text: "cut" }, { name: 2 }] })
  })

  it("a page that is too large for one message is cut as well", () => {
    const huge = Array.from({ length: 50 }, (_, index) => item(index, 10_000))
    const { structuredContent } = pageAnswer({ ...page, offset: 0, items: huge, total: 50 })
    expect(structuredContent["next_offset"]).toBe(6)
    expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThan(70_000)
  })
})
