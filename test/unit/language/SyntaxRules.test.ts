import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflow, loadWorkflowText } from "../../../src/language/Loader.ts"
import { renderDiagnostic } from "../../../src/language/validate/Diagnostic.ts"
import { validateWorkflow } from "../../../src/language/validate/Validate.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const found = (text: string) =>
  loadWorkflowText(text, { path: "/w.yaml" }).pipe(
    Effect.map((loaded) => validateWorkflow(loaded).map(renderDiagnostic)),
    Effect.provide(languagePlatform())
  )

const HEAD = "workflow: {name: t, entry_point: a}\n"

describe("the syntax of templates and conditions", () => {
  it.effect("is checked wherever a run renders or evaluates, with the place and the nearest filter", () =>
    Effect.gen(function* () {
      const texts = yield* found(`${HEAD}agents:
  - name: a
    prompt: "{{ 1 | lenght }}"
    model: "{{"
    routes:
      - {to: b, when: "x ==== 1"}
      - {to: b, when: "{{ output.x | nope }}"}
      - {to: b, output: {k: "{% if %}"}}
  - {name: b, type: wait, duration: "{{ garbage", reason: "{{ ) }}"}
output: {r: "{{ 1 | upperr }}"}
`)
      expect(texts).toEqual([
        "/w.yaml:4:5: error: agents.0.prompt: the template cannot be rendered: No filter named 'lenght' (line 1, column 8 of the text) (did you mean \"length\"?)",
        expect.stringContaining("/w.yaml:5:5: error: agents.0.model: the template cannot be rendered"),
        expect.stringContaining("/w.yaml:10:27: error: agents.1.duration: the template cannot be rendered"),
        expect.stringContaining("error: agents.1.reason: the template cannot be rendered"),
        expect.stringContaining("/w.yaml:9:26: error: agents.0.routes.2.output.k: the template cannot be rendered"),
        expect.stringContaining("error: output.r: the template cannot be rendered"),
        "/w.yaml:7:17: error: agents.0.routes.0.when: the condition cannot be evaluated: unexpected '==' (column 5 of the text)",
        expect.stringContaining("/w.yaml:8:17: error: agents.0.routes.1.when: the template cannot be rendered")
      ])
    })
  )

  it.effect("is not asked of what no run renders", () =>
    Effect.gen(function* () {
      expect(
        yield* found(`${HEAD}agents:
  - {name: a, command: "{{", description: "{{", prompt: ok}
  - name: g
    type: human_gate
    prompt: ok
    options: [{label: "{{", value: v, route: $end}]
    routes: [{to: a, when: "(("}]
`)
      ).toEqual([expect.stringContaining("warning: agents.1.routes: the routes of the gate")])
    })
  )

  it.effect("is only doubtful in hooks and in branches that may never be rendered", () =>
    Effect.gen(function* () {
      const texts = yield* found(`workflow: {name: t, entry_point: a, hooks: {on_start: "{{"}}
agents: [{name: a, prompt: "{% if x %}{{ y | nosuch }}{% endif %}"}]
`)
      expect(texts).toEqual([
        expect.stringContaining("warning: agents.0.prompt"),
        expect.stringContaining("warning: workflow.hooks.on_start")
      ])
    })
  )

  it.effect("points into the file that holds the template", () =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({
        "p.md": "Hello\n{{ name | nosuch }}\n",
        "w.yaml": `${HEAD}agents: [{name: a, prompt: !file p.md}]\n`
      })
      const diagnostics = validateWorkflow(yield* loadWorkflow(join(folder, "w.yaml")))
      expect(diagnostics).toMatchObject([{ file: join(folder, "p.md"), line: 2, column: 11, path: "agents.0.prompt" }])
    }).pipe(Effect.scoped, Effect.provide(languagePlatform()))
  )
})
