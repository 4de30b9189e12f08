import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { renderTemplate } from "../../../../src/language/template/Template.ts"

describe("lazy results", () => {
  it("go on where the reader before stopped, and print their items", () => {
    const template = "{% set g = [1, 2, 3] | map('string') %}{{ g | first }} {{ g | list }} {{ [1, 2] | batch(1) }}"
    expect(Either.getOrThrow(renderTemplate(template, {}))).toBe("1 ['2', '3'] [[1], [2]]")
  })
})
