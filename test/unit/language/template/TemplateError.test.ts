import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { ValueMap } from "../../../../src/domain/Value.ts"
import { renderTemplate, type RenderOptions } from "../../../../src/language/template/Template.ts"

const messageOf = (template: string, context: ValueMap = {}, options: RenderOptions = {}) =>
  Either.getOrNull(Either.flip(renderTemplate(template, context, options)))?.message

describe("an error of a template says what, where and what was meant", () => {
  it("an undefined name, with the nearest name in scope", () => {
    expect(messageOf("Hi\n{{ titel }}", { title: "x" })).toBe(
      "Undefined variable in template: 'titel' is undefined (line 2, column 4). Did you mean 'title'?"
    )
  })

  it("a missing key, with the nearest key", () => {
    expect(messageOf("{{ plan.output.scor }}", { plan: { output: { score: 1 } } })).toBe(
      "Undefined variable in template: 'dict object' has no attribute 'scor' (line 1, column 16). Did you mean 'score'?"
    )
  })

  it("the place where an undefined value came from, not where it was used", () => {
    expect(messageOf("{% set x = missing %}\n{{ x | upper }}")).toContain("line 1, column 12")
  })

  it("an unknown filter, with the nearest filter", () => {
    expect(messageOf("{{ 'a' | uper }}")).toBe(
      "Template syntax error: No filter named 'uper' (line 1, column 10). Did you mean 'upper'?"
    )
  })

  it("an unknown tag, with the nearest tag", () => {
    expect(messageOf("{% fro x in y %}")).toContain("Did you mean 'for'?")
  })

  it("an operation that is impossible", () => {
    expect(messageOf("{{ 1 / 0 }}")).toBe("Template rendering failed: division by zero (line 1, column 4)")
  })

  it("an include in inline text, with the remedy", () => {
    expect(messageOf("{% include 'x.md' %}")).toContain("Template not found: 'x.md'. Inline text cannot include")
    expect(messageOf("{% include 'x.md' %}")).toContain("file-backed prompt")
  })

  it("an error inside an included file, with that file's name", () => {
    const loader = (name: string) =>
      name === "part.md" ? Either.right("a\n{{ nope }}") : Either.left("Searched in: prompts")
    expect(messageOf("{% include 'part.md' %}", {}, { loader })).toContain("(part.md, line 2, column 4)")
    expect(messageOf("{% include 'zzz.md' %}", {}, { loader })).toContain(
      "Template not found: 'zzz.md'. Searched in: prompts"
    )
  })
})

describe("file-backed prompts", () => {
  const parts: Readonly<Record<string, string>> = {
    "base.md": "<{% block body %}base{% endblock %}>",
    "macros.md": "{% macro greet(name, word='Hi') %}{{ word }} {{ name }}{% endmacro %}"
  }
  const loader = (name: string) => {
    const text = parts[name]
    return text === undefined ? Either.left("Searched in: here") : Either.right(text)
  }
  const render = (template: string) => Either.getOrNull(renderTemplate(template, {}, { loader }))

  it("extend, with the parent's block in reach", () => {
    expect(render("{% extends 'base.md' %}{% block body %}child of {{ super() }}{% endblock %}")).toBe(
      "<child of base>"
    )
  })

  it("import macros", () => {
    expect(render("{% from 'macros.md' import greet %}{{ greet('Bo') }}, {{ greet('Al', word='Yo') }}")).toBe(
      "Hi Bo, Yo Al"
    )
  })

  it("may miss an include that says so", () => {
    expect(render("a{% include 'none.md' ignore missing %}b")).toBe("ab")
  })
})
