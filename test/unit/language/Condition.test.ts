import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { evaluateCondition } from "../../../src/language/Condition.ts"

const context = { workflow: { input: { n: 5 } }, plan: { output: { score: 8 } } }
const output = { score: 7, status: "ok", items: ["a"] }

const messageOf = (when: string) => Either.getOrNull(Either.flip(evaluateCondition(when, context, output)))?.message

describe("an error of a condition says what was meant", () => {
  it.each([
    ["scor > 5", "Did you mean 'score'?"],
    ["output.score > 5", "Did you mean 'output_score'?"],
    ["plan.output.score > 5", "Did you mean 'plan_output'?"],
    ["workflow.input.n == 5", "Did you mean 'workflow_input'?"],
    ["status == true", "Did you mean 'True'?"],
    ["score > 5 && status", "use 'and'"],
    ["score > 5 || status", "use 'or'"],
    ["!status", "use 'not'"],
    ["status in ['ok', 'fine']", "as in a == 'x' or a == 'y'"],
    ["status.starswith('o')", "Did you mean 'startswith'?"],
    ["(score = 5)", "expected ')'"]
  ])("%s", (when, hint) => {
    expect(messageOf(when)).toContain(hint)
  })
})

describe("what is left out of the expression language fails only when it is reached", () => {
  it("a list behind a condition that is not met", () => {
    expect(Either.getOrNull(evaluateCondition("score > 100 and status in ['ok']", context, output))).toBe(false)
  })
})

describe("methods that change a value", () => {
  it("change a copy", () => {
    expect(Either.getOrNull(evaluateCondition("items.append('b') or items.count('b') == 1", context, output))).toBe(
      true
    )
    expect(output.items).toEqual(["a"])
  })
})
