import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Float } from "../../../src/domain/Value.ts"
import { loadWorkflowText } from "../../../src/language/Loader.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"

const platform = languagePlatform()

const messageOf = (text: string) =>
  Effect.map(Effect.flip(loadWorkflowText(text, { path: "/w.yaml" })), ({ message }) => message).pipe(
    Effect.provide(platform)
  )

const documentOf = (text: string) =>
  Effect.map(loadWorkflowText(text), ({ document }) => document).pipe(Effect.provide(platform))

const workflow = (keys: string) => `workflow: {name: t, entry_point: a, ${keys}}\nagents: [{name: a}]`
const step = (keys: string) => `workflow: {name: t, entry_point: a}\nagents: [{name: a, ${keys}}]`

describe("problems", () => {
  it.effect("are told all together, each with its line, place and nearest valid key", () =>
    Effect.gen(function* () {
      const text = `workflow:
  name: 5
  entry_point: a
agents:
  - name: a
    promt: Hi
    routes:
      - to: $end
        whn: done
      - {}
`
      expect(yield* messageOf(text)).toBe(
        `/w.yaml:2:9: workflow.name: expected text, got the number 5 (put it in quotes to make it text)
/w.yaml:6:5: agents.0.promt: unknown key "promt" (did you mean "prompt"?)
/w.yaml:9:9: agents.0.routes.0.whn: unknown key "whn" (did you mean "when"?)
/w.yaml:10:9: agents.0.routes.1.to: the required key "to" is missing`
      )
    })
  )

  it.effect("between parts of the document name what was probably meant", () =>
    Effect.gen(function* () {
      const text = `workflow: {name: t, entry_point: plannr}
agents:
  - {name: planner, routes: [{to: writr}, {to: $ende}]}
  - {name: writer}
parallel: [{name: both, agents: [planner, writter]}]
`
      const message = yield* messageOf(text)
      expect(message).toContain(
        'workflow.entry_point: the entry point "plannr" is not a step or group of this workflow (did you mean "planner"?)'
      )
      expect(message).toContain('agents.0.routes.0.to: the route target "writr"')
      expect(message).toContain('(did you mean "$end"?)')
      expect(message).toContain('parallel.0.agents.1: the group member "writter"')
    })
  )

  it.effect.each([
    [`input: {q: {type: string}}\n${workflow("")}`, "the inputs of a workflow are declared under workflow.input"],
    [workflow("context_mode: explicit"), "write context: {mode: accumulate | last_only | explicit}"],
    [workflow("input: {q: string}"), "write {type: string}"],
    [workflow("input: {q: {type: integer}}"), "the type of all numbers is number"],
    [step("input: {q: {from: b.output}}"), "list references, such as"],
    [step("parallel: [b, c]"), "groups are declared at the root of the file"],
    [step("output: {x: string}"), "write {type: string}"],
    [step("type: human_gate, prompt: ok?, options: [{name: yes}]"), "an option has the keys label, value and route"],
    [step("routes: [], tools: [x]") + "\nhooks: {on_start: x}", "this key belongs under workflow"],
    [
      step("") + "\nfor_each: [{name: f, type: for_each, source: a.output.x, as: i, agent: {prompt: x}}]",
      "the inline step of a group needs a name of its own"
    ]
  ] as const)("%# the documented but wrong form gets a remedy: %s", ([text, remedy]) =>
    Effect.gen(function* () {
      expect(yield* messageOf(text)).toContain(remedy)
    })
  )

  it.effect("of a date where text is needed say to quote it", () =>
    Effect.gen(function* () {
      expect(yield* messageOf(workflow("version: 2024-01-01"))).toContain(
        "workflow.version: expected text, got the date 2024-01-01 (put it in quotes to make it text)"
      )
    })
  )

  it.effect("do not let a float or a date pass for a mapping", () =>
    Effect.gen(function* () {
      expect(yield* messageOf(workflow("limits: 1.0"))).toContain(
        "workflow.limits: expected a mapping, got the number 1.0"
      )
      expect(yield* messageOf(step("retry: 2024-01-01"))).toContain("agents.0.retry: expected a mapping, got the date")
    })
  )

  it.effect("in the mcp block include unknown keys", () =>
    Effect.gen(function* () {
      expect(yield* messageOf(workflow("mcp: {expos: false}"))).toContain(
        'workflow.mcp.expos: unknown key "expos" (did you mean "expose"?)'
      )
    })
  )
})

describe("scalars", () => {
  it.effect("numbers accept numeric text and true, booleans the usual words", () =>
    Effect.gen(function* () {
      const { workflow: read } = yield* documentOf(
        workflow(
          `limits: {max_iterations: "30", timeout_seconds: 10.0, budget_usd: true}, input: {q: {type: string, required: no}}`
        )
      )
      expect(read.limits).toEqual({ max_iterations: 30, timeout_seconds: 10, budget_usd: 1, budget_mode: "audit" })
      expect(read.input.q?.required).toBe(false)
    })
  )

  it.effect("the default of an input keeps its declared type and its number kind", () =>
    Effect.gen(function* () {
      const inputs = `day: {type: string, default: 2026-01-01}, answer: {type: string, default: no}, ratio: {type: number, default: 1.0}, octal: {type: number, default: 0o17}`
      const { workflow: read } = yield* documentOf(workflow(`input: {${inputs}}`))
      expect(Object.values(read.input).map((input) => input.default)).toEqual(["2026-01-01", "no", new Float(1), 15])
    })
  )

  it.effect("null counts as absent where a key is optional", () =>
    Effect.gen(function* () {
      const { agents } = yield* documentOf(step("description: null, tools: ~, output:"))
      expect(agents[0]).not.toHaveProperty("tools")
      expect(agents[0]).not.toHaveProperty("description")
    })
  )

  it.effect("names of inputs and outputs may be those of object methods", () =>
    Effect.gen(function* () {
      const read = yield* documentOf(workflow("input: {constructor: {type: string}, toString: {type: number}}"))
      expect(Object.keys(read.workflow.input)).toEqual(["constructor", "toString"])
    })
  )
})

describe("output fields", () => {
  it.effect.each(["(?P<word>a)\\\\Z", "(?i)^x", "a\\\\-b", "\\\\d+"])(
    "take the pattern %s as Python writes it",
    (pattern) =>
      Effect.gen(function* () {
        const { agents } = yield* documentOf(step(`output: {x: {type: string, pattern: "${pattern}"}}`))
        expect(agents[0]?.output?.x?.pattern).toBe(pattern.replaceAll("\\\\", "\\"))
      })
  )

  it.effect.each([
    ['x: {type: string, pattern: "("}', "agents.0.output.x.pattern"],
    ["x: {type: number, minimum: 5, maximum: 1}", "agents.0.output.x.minimum"],
    ["x: {type: array, items: {type: string, enum: [1]}}", "agents.0.output.x.items.enum.0"],
    ["x: {type: object, properties: {y: {type: array, minLength: 1}}}", "agents.0.output.x.properties.y.minLength"],
    ["x: {type: string, required: false}", "agents.0.output.x.required"]
  ] as const)("%# %s is refused", ([field, place]) =>
    Effect.gen(function* () {
      expect(yield* messageOf(step(`output: {${field}}`))).toContain(`${place}: `)
    })
  )

  it.effect("may be nested as deep as a document may", () =>
    Effect.gen(function* () {
      const levels = 46
      const nested = "x: {type: object, properties: {".repeat(levels) + "x: {type: text}" + "}}".repeat(levels)
      expect(yield* messageOf(step(`output: {${nested}}`))).toContain("expected one of string, number")
    })
  )
})
