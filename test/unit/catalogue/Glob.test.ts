import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { glob } from "../../../src/catalogue/Glob.ts"

const matches = (pattern: string, text: string): boolean => glob(pattern).matches(text)

describe("globs", () => {
  it.each([
    ["review", "review", true],
    ["review", "reviews", false],
    ["", "", true],
    ["*", "", true],
    ["*", "official/review", true],
    ["official/*", "official/review", true],
    ["official/*", "officially", false],
    ["*review*", "official/review_pr", true],
    ["rev?ew", "review", true],
    ["rev?ew", "revew", false],
    ["?", "🚀", true],
    ["[ab]c", "bc", true],
    ["[!ab]c", "bc", false],
    ["[!ab]c", "xc", true],
    ["[a-c]x", "bx", true],
    ["[a-c]x", "dx", false],
    ["[c-a]x", "bx", false],
    ["[]x]", "]", true],
    ["[!]]", "]", false],
    ["[!]]", "a", true],
    ["[-a]", "-", true],
    ["[a-]", "-", true],
    ["[", "[", true],
    ["[abc", "[abc", true],
    ["[]", "[]", true],
    ["[!]", "[!]", true],
    ["a{b,c}", "ab", false],
    ["**", "a/b", true]
  ])("%j on %j is %s, as in fnmatch", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  it("upper and lower case are distinct on every platform", () => {
    expect(matches("Review*", "review")).toBe(false)
    expect(matches("[A-Z]", "a")).toBe(false)
  })

  it("any text is a pattern, and a text without wildcards matches itself alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (pattern, text) => {
        expect(() => matches(pattern, text)).not.toThrow()
        if (!/[*?[]/.test(pattern)) expect(matches(pattern, text)).toBe(pattern === text)
        expect(matches(`*${text.replace(/[*?[]/g, "?")}*`, `a${text}b`)).toBe(true)
      })
    )
  })

  it("a pattern made to backtrack costs no more than its length times the text's", () => {
    const started = performance.now()
    expect(matches("*a".repeat(200) + "b", "a".repeat(20_000))).toBe(false)
    expect(matches("[".repeat(200_000), "[".repeat(200_000))).toBe(true)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
