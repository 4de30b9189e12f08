import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { renderTemplate } from "../../../../src/language/template/Template.ts"

const kindOf = (template: string) =>
  Either.match(renderTemplate(template, {}), { onLeft: ({ kind }) => kind, onRight: () => "text" })

describe("no template can hang or exhaust the process", () => {
  it.each([
    ["a text repeated without end", "{{ 'x' * 10 ** 9 }}"],
    ["a range without end", "{{ range(10 ** 12) | list }}"],
    ["loops inside loops", "{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}"],
    ["a list that grows while it is walked", "{% set l = [1] %}{% for i in l %}{{ l.append(i) }}{% endfor %}"],
    [
      "a text doubled again and again",
      "{% set n = namespace(t='a') %}{% for i in range(99) %}{% set n.t = n.t ~ n.t %}{% endfor %}"
    ],
    [
      "a list that contains itself many times",
      "{% set n = namespace(l=[1]) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}{% endfor %}{{ n.l }}"
    ],
    ["a huge integer", "{{ 9 ** 9999999 }}"],
    ["a huge field width", "{{ '%999999999d' % 1 }}{{ 'a'.center(999999999) }}"],
    ["a macro that calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
    ["a block that shows itself", "{% block b %}{{ self.b() }}{% endblock %}"],
    ["a long chain of operators", `{{ 1${" + 1".repeat(5000)} }}`]
  ])("%s is over the budget", (_, template) => {
    expect(kindOf(template)).toBe("budget")
  })

  it.each([
    ["parentheses", `{{ ${"(".repeat(9000)}1${")".repeat(9000)} }}`],
    ["lists", `{{ ${"[".repeat(9000)}1${"]".repeat(9000)} }}`],
    ["signs", `{{ ${"-".repeat(9000)}1 }}`],
    ["statements", "{% if true %}".repeat(9000) + "{% endif %}".repeat(9000)]
  ])("%s nested too deeply are a syntax error", (_, template) => {
    expect(kindOf(template)).toBe("syntax")
  })

  it("recursion of a sensible depth works", () => {
    const template = "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(150) }}done"
    expect(Either.getOrNull(renderTemplate(template, {}))).toBe("done")
  })

  it("a template that includes itself is over the budget", () => {
    const loader = () => Either.right("{% include 'self' %}")
    const rendered = renderTemplate("{% include 'self' %}", {}, { loader })
    expect(Either.getOrNull(Either.flip(rendered))?.kind).toBe("budget")
  })
})
