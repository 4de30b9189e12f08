import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { validateWorkflow } from "../../../src/language/validate/Validate.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

/** `severity place: message (remedy)` of everything that is wrong with a workflow. */
const found = (text: string) =>
  loadWorkflowText(text).pipe(
    Effect.map((loaded) =>
      validateWorkflow(loaded).map(
        ({ message, path, severity, suggestion = "" }) => `${severity} ${path}: ${message} (${suggestion})`
      )
    ),
    Effect.provide(languagePlatform())
  )

/** What loading says to a form that does not load. */
const refused = (text: string) =>
  loadWorkflowText(text).pipe(
    Effect.flip,
    Effect.map(({ problems }) => problems.map(({ path, suggestion = "" }) => `${path}: ${suggestion}`)),
    Effect.provide(languagePlatform())
  )

const HEAD = "workflow: {name: t, entry_point: a}\n"

describe("a form that the documentation shows and that does something else", () => {
  it.effect("among the keys is told with what to write", () =>
    Effect.gen(function* () {
      const text = `${HEAD}agents:
  - {name: a, type: human_gate, prompt: ok?, options: [{label: y, value: y, route: w}], routes: [{to: w}]}
  - {name: w, type: workflow, workflow: x.yaml, output: {r: {type: string}}}
for_each:
  - {name: f, type: for_each, source: a.output.x, as: kpi, key_by: kpi.id, agent: {name: i, prompt: hi}}
`
      expect(yield* found(text)).toEqual([
        'warning agents.0.routes: the routes of the gate "a" are ignored: the option that is chosen leads on (give each option its route)',
        'warning for_each.0.key_by: "kpi.id" is looked for inside each item, where there is no "kpi", so that items get numbers for keys (write id)',
        'warning agents.1.output: the output of "w" is what the workflow that it calls gives; this shape is not enforced (declare the shape in that workflow\'s steps)'
      ])
    })
  )

  it.effect("among the names of templates is told with what to write", () =>
    Effect.gen(function* () {
      const text = `workflow:
  name: t
  entry_point: g
  hooks: {on_complete: "{{ workflow.execution_time }} {{ str(result) }}", on_error: "{{ workflow.error.message }}"}
agents:
  - {name: g, type: human_gate, prompt: ok?, options: [{label: y, value: y, route: p}]}
  - {name: a, prompt: "{{ workflow.description }} {{ g.output.choice }}"}
  - {name: b, prompt: hi}
  - {name: c, prompt: "{{ p.errors.a.error }} {{ a.output }} {{ p.outputs.a }} {{ p.errors.a.message }}"}
parallel: [{name: p, agents: [a, b], routes: [{to: c}]}]
`
      const there = "there are workflow.input, workflow.name, workflow.dir, workflow.file"
      expect(yield* found(text)).toEqual([
        `warning agents.1.prompt: templates see no "workflow.description" (${there})`,
        'warning agents.1.prompt: a gate gives no "choice" (write g.output.selected)',
        'warning agents.3.prompt: an entry of p.errors has no "error" (it has agent_name, exception_type, message, suggestion)',
        'warning agents.3.prompt: "a" runs in the group "p" only (write p.outputs.a)',
        `warning workflow.hooks.on_complete: templates see no "workflow.execution_time" (${there})`,
        'warning workflow.hooks.on_complete: templates have no function "str" (write {{ value | string }})',
        'warning workflow.hooks.on_error: templates see no "workflow.error" (in on_error write error.type, error.message or error.suggestion)'
      ])
    })
  )

  it.effect("among the names of conditions is told with what to write", () =>
    Effect.gen(function* () {
      const text = `workflow: {name: t, entry_point: a, input: {x: {type: string}}}
agents:
  - name: a
    prompt: hi
    routes:
      - {to: a, when: "{{ score >= 8 }}"}
      - {to: a, when: "output.score >= 8 and done == true"}
      - {to: a, when: "a.output.score > workflow.input.x"}
      - {to: a, when: "a_output.score > workflow_input.x and score.real > 1 and output.startswith('x')"}
      - {to: a, when: "{{ output.score >= 8 or a.output.score }}"}
      - {to: $end}
`
      expect(yield* found(text)).toEqual([
        'warning agents.0.routes.1.when: a condition without braces knows no "output.score" (write score, or put the whole condition into {{ }})',
        'warning agents.0.routes.1.when: a condition without braces knows no "true" (write True, or put the whole condition into {{ }})',
        'warning agents.0.routes.2.when: a condition without braces knows no "a.output.score" (write a_output.score, or put the whole condition into {{ }})',
        'warning agents.0.routes.2.when: a condition without braces knows no "workflow.input.x" (write workflow_input.x, or put the whole condition into {{ }})',
        'warning agents.0.routes.0.when: a condition in {{ }} sees no "score" by itself (write output.score, or leave out the braces)'
      ])
    })
  )
})

describe("a form that the documentation shows and that does not load", () => {
  it.effect("is told with what to write", () =>
    Effect.gen(function* () {
      const remedies = yield* refused(`workflow: {name: t, entry_point: a, context_mode: minimal}
input: {x: {type: string}}
agents:
  - {name: a, prompt: hi, input: {x: {from: y}}}
  - {name: g, type: human_gate, prompt: ok?, options: [{name: y, description: yes}]}
  - parallel: {agents: [a, b]}
for_each:
  - {name: f, type: for_each, source: a.output.x, as: i, agent: {prompt: hi}}
`)
      expect(remedies).toEqual(
        expect.arrayContaining([
          "workflow.context_mode: write context: {mode: accumulate | last_only | explicit}",
          "input: the inputs of a workflow are declared under workflow.input",
          "agents.0.input: list references, such as [planner.output, workflow.input.topic?]",
          "agents.1.options.0.label: an option has the keys label, value and route",
          "agents.2.parallel: groups are declared at the root of the file and reached by routes",
          "for_each.0.agent.name: the inline step of a group needs a name of its own"
        ])
      )
    })
  )
})
