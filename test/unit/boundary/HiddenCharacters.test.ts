import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { removeHidden, revealHidden } from "../../../src/boundary/HiddenCharacters.ts"

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0001}]/u
const pieces = [
  "\u001b[31m",
  "\u009b",
  "\r",
  "\u2028",
  "\u202e",
  "\u200b",
  "\u{e0041}",
  "\ud800",
  "é",
  "漢",
  "👩🏽‍🚀",
  "a\n"
]
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" })
)

describe("hidden characters that are shown", () => {
  it.each([
    ["an escape sequence", "a\u001b[31mred", String.raw`a\u001b[31mred`],
    ["an 8-bit one", "\u009b31m", String.raw`\u009b31m`],
    ["a bidi override and a tag", "\u202e\u{e0041}", String.raw`\u202e\u{e0041}`],
    ["a return that would overwrite the line", "safe\revil", String.raw`safe\u000devil`],
    ["line ends of another system, as line ends", "a\r\nb\tc", "a\nb\tc"],
    ["markup, as it is", "[bold]x[/bold] <system> **y**", "[bold]x[/bold] <system> **y**"],
    ["emoji and joiners of a script, as they are", "👩🏽‍🚀 می‌خواهم", "👩🏽‍🚀 می‌خواهم"]
  ])("%s", (_, text, shown) => expect(revealHidden(text)).toBe(shown))

  it("leave nothing that acts on a terminal, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = revealHidden(text)
        expect(shown).not.toMatch(acting)
        expect(removeHidden(shown)).toBe(shown)
      })
    )
  })
})
