import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { renderDiagnostic } from "../../../src/language/validate/Diagnostic.ts"
import { templateReferences } from "../../../src/language/validate/TemplateReferences.ts"
import { validateWorkflow } from "../../../src/language/validate/Validate.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

const diagnosticsOf = (text: string) =>
  Effect.map(loadWorkflowText(text, { path: "/w.yaml" }), validateWorkflow).pipe(Effect.provide(languagePlatform()))

const HEAD = "workflow: {name: t, entry_point: a, input: {topic: {type: string}}}\n"

describe("validation", () => {
  it.effect("tells everything at once, each with rule, position and nearest name", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`${HEAD}agents:
  - name: a
    prompt: Hi
    routes: [{to: writer}]
  - name: writer
    prompt: "{{ a.output }} {{ workflow.input.topik }}"
    input: [aa.output?]
    tools: [grep]
`)
      expect(diagnostics.map(({ rule }) => rule)).toEqual(["input-reference", "undeclared-tool", "step-template"])
      expect(diagnostics.map(renderDiagnostic)).toEqual([
        '/w.yaml:8:13: warning: agents.1.input.0: "aa.output?" refers to the unknown step "aa" (did you mean "a"?)',
        '/w.yaml:9:13: error: agents.1.tools.0: the tool "grep" is not in the workflow\'s list of tools (add it to tools at the root of the file)',
        '/w.yaml:7:5: error: agents.1.prompt: the template reads the input "topik", which is not declared (did you mean "topic"?)'
      ])
    })
  )

  it.effect("knows the servers and tools that a tool step may call, and what its arguments read", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`
workflow:
  name: t
  entry_point: a
  input: {topic: {type: string}}
  runtime: {mcp_servers: {files: {command: x, tools: [read]}, web: {command: y}}}
agents:
  - {name: a, type: mcp, server: file, tool: read, routes: [{to: b}]}
  - {name: b, type: mcp, server: files, tool: reed, routes: [{to: c}]}
  - {name: c, type: mcp, server: web, tool: any, arguments: {deep: [{x: "{{ workflow.input.topik }} {{"}]}}
`)
      expect(diagnostics.map(({ path, rule, suggestion }) => [rule, path, suggestion])).toEqual([
        ["mcp-server", "agents.0.server", 'did you mean "files"?'],
        ["mcp-tool", "agents.1.tool", 'did you mean "read"?'],
        ["template-syntax", "agents.2.arguments.deep.0.x", undefined]
      ])
    })
  )

  it.effect("warns of a dialog that nobody can be asked for", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`
workflow: {name: t, entry_point: p}
agents:
  - {name: a, prompt: Hi, dialog: {trigger_prompt: x}}
  - {name: b, prompt: Hi}
  - {name: c, prompt: Hi, dialog: {trigger_prompt: x}}
parallel: [{name: p, agents: [a, b], routes: [{to: f}]}]
for_each:
  - {name: f, type: for_each, source: b.output.x, as: i, agent: {name: d, prompt: Hi, dialog: {trigger_prompt: x}}, routes: [{to: c}]}
`)
      const found = diagnostics.filter(({ rule }) => rule === "member-dialog")
      expect(found.map(({ path, severity }) => `${severity} ${path}`)).toEqual([
        "warning agents.0.dialog",
        "warning for_each.0.agent.dialog"
      ])
    })
  )

  it.effect("warns once of a step that the output reads and some way does not pass", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`${HEAD}agents:
  - {name: a, prompt: Hi, routes: [{to: b, when: x}, {to: $end}]}
  - {name: b, prompt: Hi, routes: [{to: a, when: x}, {to: $end}]}
output: {one: "{{ b.output.x }}", two: "{{ b.output.y }}", three: "{{ a.output }}"}
`)
      expect(diagnostics).toMatchObject([{ rule: "output-coverage", path: "output.one", severity: "warning" }])
    })
  )

  it.effect("does not ask for a step that is only missed where a terminate step gives its own output", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`${HEAD}agents:
  - {name: a, prompt: Hi, routes: [{to: b, when: x}, {to: stop}]}
  - {name: b, prompt: Hi, routes: [{to: $end}]}
  - {name: stop, type: terminate, status: failed, reason: no, output_template: {x: "1"}}
output: {one: "{{ b.output.x }}"}
`)
      expect(diagnostics).toEqual([])
    })
  )

  it.effect("gives up on ways that never end, and follows long ones to their end", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, index) => `s${index}`)
      const everywhere = names.map((to) => `{to: ${to}, when: x}`).join(", ")
      const tangle = names.map((name) => `  - {name: ${name}, prompt: Hi, routes: [${everywhere}]}\n`).join("")
      const head = HEAD.replace("entry_point: a", "entry_point: s0")
      expect(yield* diagnosticsOf(`${head}agents:\n${tangle}output: {one: "{{ s1.output }}"}\n`)).toEqual([])

      const step = (index: number) =>
        `  - {name: s${index}, prompt: Hi, routes: [{to: ${index < 3999 ? `s${index + 1}` : "$end"}}]}\n`
      const chain = Array.from({ length: 4000 }, (_, index) => step(index)).join("")
      const output = 'output: {one: "{{ s3999.output }} {{ x.output }}"}\n'
      const aside = "  - {name: x, prompt: Hi}\n"
      expect(yield* diagnosticsOf(`${head}agents:\n${chain}${aside}${output}`)).toMatchObject([
        { rule: "output-coverage", message: expect.stringContaining('"x"') }
      ])
    })
  )

  it.effect("refuses one session for steps that run at the same time", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`
workflow: {name: t, entry_point: p, runtime: {provider: claude-agent-sdk}}
agents:
  - {name: a, prompt: Hi, session_key: k}
  - {name: b, prompt: Hi, session_key: k}
parallel: [{name: p, agents: [a, b]}]
for_each:
  - {name: f, type: for_each, source: a.output.x, as: i, agent: {name: x, session_key: k}}
  - {name: g, type: for_each, source: a.output.x, as: i, agent: {name: y, session_key: k, working_dir: "{{ i.dir }}"}}
`)
      expect(diagnostics.map(({ path, rule }) => [rule, path])).toEqual([
        ["shared-session", "agents.1.session_key"],
        ["item-session", "for_each.0.agent.session_key"]
      ])
    })
  )

  it.effect("finds names that hide each other", () =>
    Effect.gen(function* () {
      const diagnostics = yield* diagnosticsOf(`${HEAD}agents: [{name: a}, {name: a}, {name: f}]
for_each: [{name: f, type: for_each, source: a.output.x, as: i, agent: {name: x}}]
`)
      expect(diagnostics.map(({ path, severity }) => [severity, path])).toEqual([
        ["warning", "for_each.0.name"],
        ["error", "agents.1.name"]
      ])
    })
  )
})

describe("the names that a template reads", () => {
  it.each([
    ["{{ a.output.x }} and {{ b.outputs[0].y }}", ["a.output.x", "b.outputs"]],
    ["{{ a.output.items() | length }}", ["a.output"]],
    [
      "{% for x in a.output %}{{ x.output }}{{ loop.index }}{% else %}{{ x.output }}{% endfor %}",
      ["a.output", "x.output"]
    ],
    ["{% set x = a.output %}{{ x.output }}", ["a.output"]],
    ["{% if c %}{% set x = 1 %}{% endif %}{{ x.output }}", ["c"]],
    ["{% with x = a.output %}{{ x.y }}{% endwith %}{{ x.y }}", ["a.output", "x.y"]],
    ["{% macro m(p, q=a.output) %}{{ p.output }}{% endmacro %}{{ m(b.output) }}", ["a.output", "b.output"]],
    ["{{ 'a.output' ~ b.output }} {{ c.x if d.y is defined }}", ["b.output", "d.y", "c.x"]],
    ["{# a.output #}{% raw %}{{ a.output }}{% endraw %}", []],
    ["{{ a.output", []]
  ])("%s", (template, chains) => {
    expect(templateReferences(template).map((chain) => chain.join("."))).toEqual(chains)
  })
})
