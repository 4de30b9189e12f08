import { describe, expect, it } from "vitest"
import { namedTemplates } from "../../../../src/language/template/Template.ts"

describe("the templates that a template names", () => {
  it.each([
    ["{% extends 'a' %}{% block x %}{% include 'b' %}{% endblock %}", ["a", "b"]],
    ["{% import 'a' as m %}{% from 'b' import c %}", ["a", "b"]],
    ["{% include ['a', 'b'] ignore missing %}", ["a", "b"]],
    ["{% include 'a' if x else 'b' %}", ["a", "b"]],
    ["{% if x %}{% include 'a' %}{% elif y %}{% include 'b' %}{% else %}{% include 'c' %}{% endif %}", ["a", "b", "c"]],
    ["{% for i in l %}{% include 'a' %}{% else %}{% include 'b' %}{% endfor %}", ["a", "b"]],
    ["{% macro m() %}{% include 'a' %}{% endmacro %}{% call m() %}{% include 'b' %}{% endcall %}", ["a", "b"]],
    ["{% set t %}{% include 'a' %}{% endset %}{% with x = 1 %}{% include 'b' %}{% endwith %}", ["a", "b"]],
    ["{% filter upper %}{% include 'a' %}{% endfilter %}", ["a"]]
  ])("are those of all its parts: %s", (template, names) => {
    expect(namedTemplates(template, "t")).toEqual(names)
  })

  it.each([
    "{% include name %}",
    "{% include 'a' ~ '.md' %}",
    "{{ 'a' }}",
    "{% raw %}{% include 'a' %}{% endraw %}",
    "{% include 'a' %"
  ])("do not hold what is computed, shown or no template: %s", (template) => {
    expect(namedTemplates(template, "t")).toEqual([])
  })
})
