import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { renderDiagnostic } from "../../../src/language/validate/Diagnostic.ts"
import { validateWorkflow } from "../../../src/language/validate/Validate.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

const found = (text: string) =>
  loadWorkflowText(text, { path: "/w.yaml" }).pipe(
    Effect.map((loaded) => validateWorkflow(loaded).filter(({ rule }) => rule === "ignored-key")),
    Effect.provide(languagePlatform())
  )

describe("a key that the reference ignores in silence", () => {
  it.effect("is a warning wherever there is one", () =>
    Effect.gen(function* () {
      const diagnostics = yield* found(`
workflow:
  name: t
  entry_point: a
  input: {x: {type: string, enum: [a]}}
  context: {mde: explicit}
  limits: {max_iteration: 3}
  hooks: {onstart: x}
  cost: {summary: true, pricing: {m: {input_per_mtok: 1, output_per_mtok: 2, cached: 1}}}
  runtime:
    model: gpt
    mcp_servers: {web: {command: npx, argz: []}}
agents:
  - {name: a, retry: {attempts: 5}, dialog: {trigger_prompt: x, y: 1}, reasoning: {effort: low, z: 1}}
  - {name: g, type: human_gate, prompt: ok?, options: [{label: y, value: y, route: $end, color: red}]}
for_each:
  - {name: f, type: for_each, source: a.output.x, as: i, agent: {name: b, retry: {delay: 1}}}
`)
      expect(new Set(diagnostics.map(({ path }) => path))).toEqual(
        new Set([
          "workflow.input.x.enum",
          "workflow.context.mde",
          "workflow.limits.max_iteration",
          "workflow.hooks.onstart",
          "workflow.cost.summary",
          "workflow.cost.pricing.m.cached",
          "workflow.runtime.model",
          "workflow.runtime.mcp_servers.web.argz",
          "agents.0.retry.attempts",
          "agents.0.dialog.y",
          "agents.0.reasoning.z",
          "agents.1.options.0.color",
          "for_each.0.agent.retry.delay"
        ])
      )
      expect(diagnostics).toHaveLength(13)
      expect(diagnostics.every(({ severity }) => severity === "warning")).toBe(true)
    })
  )

  it.effect("stands at the key itself, with the key that was meant", () =>
    Effect.gen(function* () {
      const diagnostics = yield* found(`
workflow: {name: t, entry_point: a, limits: {max_iteration: 3}}
agents: [{name: a, retry: {attempts: 5, x: 1}}]
`)
      expect(diagnostics.map(renderDiagnostic)).toEqual([
        '/w.yaml:2:46: warning: workflow.limits.max_iteration: the key "max_iteration" means nothing here and is ignored (did you mean "max_iterations"?)',
        '/w.yaml:3:28: warning: agents.0.retry.attempts: the key "attempts" means nothing here and is ignored (did you mean "max_attempts"?)',
        '/w.yaml:3:41: warning: agents.0.retry.x: the key "x" means nothing here and is ignored (the keys are max_attempts, backoff, delay_seconds, retry_on, max_parse_recovery_attempts)'
      ])
    })
  )

  it.effect("is not one that an author chooses", () =>
    Effect.gen(function* () {
      expect(
        yield* found(`
workflow: {name: t, entry_point: a, metadata: {any: {thing: 1}}, runtime: {mcp_servers: {s: {command: x, env: {A: b}}}}}
agents: [{name: a, output: {any: {type: object, properties: {thing: {type: string}}}}}]
output: {x: "1"}
`)
      ).toEqual([])
    })
  )
})
