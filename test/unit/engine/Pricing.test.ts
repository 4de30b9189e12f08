/** What tokens cost, and when a budget speaks up. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseJson } from "../../../src/domain/Value.ts"
import { costOf } from "../../../src/engine/Pricing.ts"
import { engineFor, recorded, start } from "./RunText.ts"

const usage = (inputTokens: number, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens
})

const MILLION = 1_000_000

describe("the cost of tokens", () => {
  it("follows the workflow's own prices before the known ones", () => {
    const own = {
      "gpt-4o": { input_per_mtok: 1, output_per_mtok: 0, cache_read_per_mtok: 0, cache_write_per_mtok: 0 }
    }
    expect(costOf("gpt-4o", usage(MILLION), {})).toBe(2.5)
    expect(costOf("gpt-4o", usage(MILLION), own)).toBe(1)
  })

  it("is that of the model's family for a dated name, by the longest family", () => {
    expect(costOf("gpt-4o-mini-2024-07-18", usage(MILLION), {})).toBe(0.15)
    expect(costOf("claude-opus-4.7-high", usage(MILLION), {})).toBe(5)
  })

  it("is unknown for a model that nobody knows, and for none", () => {
    expect(costOf("gpt-4ox", usage(MILLION), {})).toBeNull()
    expect(costOf("constructor", usage(MILLION), {})).toBeNull()
    expect(costOf(null, usage(MILLION), {})).toBeNull()
  })

  it("counts cached tokens once, and as input when the model has no rate for them", () => {
    expect(costOf("claude-opus-4.5", usage(MILLION, 0, MILLION), {})).toBe(0.5)
    expect(costOf("gpt-4o", usage(MILLION, 0, MILLION), {})).toBe(2.5)
  })

  it("is never below zero, however the counts contradict each other", () => {
    expect(costOf("claude-opus-4.5", usage(0, 0, MILLION), {})).toBe(0.5)
  })
})

describe("a budget that is only audited", () => {
  it.effect("is told on the first overshoot and again when as much again has been spent, and stops nothing", () =>
    Effect.gen(function* () {
      const outcome = yield* start(`
workflow: {name: w, entry_point: a, limits: {budget_usd: 1}, cost: {pricing: {m: {input_per_mtok: 0.6, output_per_mtok: 0}}}}
agents: [{name: a, model: m, prompt: p, routes: [{to: a, when: "{{ context.iteration < 5 }}"}, {to: $end}]}]
`)
      expect(outcome._tag).toBe("Completed")
      const told = (yield* recorded).flatMap(({ data, type }) => (type === "budget_exceeded" ? [data.spent_usd] : []))
      expect(told).toEqual([1.2, 2.4])
    }).pipe(
      Effect.provide(
        engineFor({
          script: { a: parseJson('[{"then": "x", "usage": {"input_tokens": 1000000, "output_tokens": 0}}]') }
        })
      )
    )
  )
})

describe("a price that is doubtful", () => {
  const metered = parseJson('[{"then": "x", "usage": {"input_tokens": 10, "output_tokens": 5}}]')

  it.effect("is told once a model, wherever it is used, and is not told again when the run goes on", () =>
    Effect.gen(function* () {
      const text = `
workflow: {name: w, entry_point: a, limits: {budget_usd: 1}}
agents:
  - {name: a, model: unheard-of, prompt: p, routes: [{to: a, when: "{{ context.iteration < 2 }}"}, {to: s}]}
  - {name: s, type: workflow, workflow: child, routes: [{to: c}]}
  - {name: c, model: gpt-4o, prompt: p, routes: [{to: d}]}
  - {name: d, model: unheard-of, prompt: p}
`
      yield* start(text)
      const events = yield* recorded
      const warnings = events.flatMap(({ data, type }) => (type === "run_warning" ? [data.warning] : []))
      expect(warnings).toEqual([
        "There is no price for model 'unheard-of': its cost is unknown, and the budget does not see it. " +
          "Write its price in workflow.cost.pricing under 'unheard-of'.",
        "The cost of model 'gpt-4o-2024-08-06' is reckoned with the price of 'gpt-4o'. " +
          "Write its price in workflow.cost.pricing under 'gpt-4o-2024-08-06'."
      ])
      const cut = events.slice(
        0,
        events.findLastIndex(({ type }) => type === "agent_started")
      )
      yield* start(text, {}, cut)
      expect((yield* recorded).filter(({ type }) => type === "run_warning")).toHaveLength(2)
    }).pipe(
      Effect.provide(
        engineFor({
          script: { a: metered, b: metered, c: metered, d: metered },
          workflows: {
            child: `
workflow: {name: c, entry_point: a}
agents: [{name: a, model: unheard-of, prompt: p, routes: [{to: b}]}, {name: b, model: gpt-4o-2024-08-06, prompt: p}]
`
          }
        })
      )
    )
  )
})
