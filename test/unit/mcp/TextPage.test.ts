import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { shorterPage, textPage } from "../../../src/mcp/TextPage.ts"

const wellFormed = fc.string({ unit: "grapheme", maxLength: 80 })

describe("parts of a long text", () => {
  it("read one after another, the parts are the whole text", () => {
    fc.assert(
      fc.property(wellFormed, fc.integer({ min: 1, max: 9 }), (text, limit) => {
        let read = ""
        let offset: number | undefined = 0
        while (offset !== undefined) {
          const page: ReturnType<typeof textPage> = textPage(text, offset, limit)
          expect(page.offset).toBe(offset)
          read += page.text
          offset = page.next_offset
        }
        expect(read).toBe(text)
      })
    )
  })

  it("an offset inside a character begins with that character", () => {
    expect(textPage("a→b", 2, 10)).toEqual({ text: "→b", offset: 1, total_bytes: 5 })
  })

  it("an offset behind the end gives an empty last part", () => {
    expect(textPage("abc", 10, 10)).toEqual({ text: "", offset: 3, total_bytes: 3 })
  })

  it("a shortened part keeps its limit as a JSON string, and says where the next one begins", () => {
    fc.assert(
      fc.property(wellFormed, fc.integer({ min: 14, max: 60 }), (text, limit) => {
        const page = textPage(`[${text}]`, 1, 1_000)
        const short = shorterPage(page, limit)
        expect(Buffer.byteLength(JSON.stringify(short.text))).toBeLessThanOrEqual(Math.max(limit, 14))
        expect(page.text.startsWith(short.text)).toBe(true)
        expect(short.next_offset ?? page.total_bytes).toBe(1 + Buffer.byteLength(short.text))
      })
    )
  })
})
