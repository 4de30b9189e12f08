/** Making room in the context of a run. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { jsonLength } from "../../../src/engine/JsonLength.ts"
import { dataOf, engineFor, recorded, start, typesOf } from "./RunText.ts"

const trimming = (strategy: string, value: string): string => `
workflow: {name: w, entry_point: a, context: {max_tokens: 60, trim_strategy: ${strategy}}}
agents: [{name: a, type: set, values: {t: "${value}"}, routes: [{to: b}]}, {name: b, type: set, value: "{{ a.output.t | length }}"}]
output: {r: "{{ b.output }}"}
`

describe("the length of a value as JSON", () => {
  it("is that of the text that the reference writes", () => {
    expect(jsonLength({ a: [1, "x"], b: {} })).toBe('{"a": [1, "x"], "b": {}}'.length)
    expect(jsonLength("é\n")).toBe(String.raw`"\u00e9\n"`.length)
    expect(jsonLength([])).toBe(2)
  })
})

describe("a context that is too large", () => {
  it.effect("keeps its newest output, whatever its size", () =>
    Effect.gen(function* () {
      expect(yield* start(trimming("drop_oldest", "{{ 'x' * 1000 }}"))).toMatchObject({ output: { r: 1000 } })
      expect(typesOf(yield* recorded)).not.toContain("context_trimmed")
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("is cut once before a step, and the log says what became of it", () =>
    Effect.gen(function* () {
      expect(yield* start(trimming("truncate", "{{ 'x' * 2000 }}"))).toMatchObject({ output: { r: 515 } })
      const trimmed = dataOf(yield* recorded, "context_trimmed")
      expect(trimmed).toMatchObject({ strategy: "truncate", dropped: [] })
      expect(Object.keys(trimmed?.outputs ?? {})).toEqual(["a"])
    }).pipe(Effect.provide(engineFor()))
  )

  it.effect("leaves short texts as they are", () =>
    Effect.gen(function* () {
      expect(yield* start(trimming("truncate", "{{ 'x' * 200 }}"))).toMatchObject({ output: { r: 200 } })
    }).pipe(Effect.provide(engineFor()))
  )
})
