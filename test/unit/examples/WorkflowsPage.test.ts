/** Every file in docs/workflows.md is valid and does what the page says, and every command on it is one. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { understand } from "../../../src/cli/CommandLine.ts"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { validateWithSubWorkflows } from "../../../src/language/validate/SubWorkflows.ts"
import { ScriptedAgents, ScriptedToolServers } from "../../../src/testing.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { playWorkflow, type Play } from "../../support/PlayWorkflow.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const page = readFileSync(new URL("../../../docs/workflows.md", import.meta.url), "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = ""]) => (name === language ? [text] : []))

/** By name, which is the comment in the first line. */
const files: Readonly<Record<string, string>> = Object.fromEntries(
  blocks("yaml").map((text) => [/^# ([\w.-]+)$/m.exec(text)?.[1] ?? text, text])
)

/** What they need beside them, by a comment in its head. */
const besides: Readonly<Record<string, string>> = Object.fromEntries(
  blocks("markdown").map((text) => [/^# ([\w./-]+)$/m.exec(text)?.[1] ?? text, text])
)

const pageFolder = workflowFolder({ ...files, ...besides })

interface Expectation extends Omit<Play, "folder"> {
  readonly status?: "failed" | "awaiting_gate"
  readonly steps: ReadonlyArray<string>
  readonly output?: unknown
  readonly error?: string
}

const choose = (selected: string, additionalInput: Readonly<Record<string, string>> = {}) => ({
  selected,
  additionalInput
})
const write = (answer: string) => choose("__free_text__", { answer })
const good = { verdict: "good", score: 9, remarks: [] }
const unclear = { verdict: "unclear", score: 4, remarks: ["Too long", "No verb"] }

/** What becomes of each file, once for every way through it that the page speaks of. */
const expectations: Readonly<Record<string, ReadonlyArray<Expectation>>> = {
  "hello.yaml": [{ steps: ["say"], output: { text: "Hello" } }],
  "greet.yaml": [
    { inputs: { who: "you" }, steps: ["compose"], output: { text: "Hello you" } },
    { inputs: { who: "you", times: 2 }, steps: ["compose"], output: { text: "Hello you, Hello you" } }
  ],
  "templates.yaml": [
    {
      inputs: { names: ["Ada", "Cy"] },
      steps: ["values"],
      output: { count: 2, first: "ADA", short: ["Ada"], line: "1. Ada 2. Cy " }
    }
  ],
  "measure.yaml": [{ inputs: { text: "to be or not" }, steps: ["count"], output: { words: 4, longest: "not" } }],
  "countdown.yaml": [
    { inputs: { from: 3 }, steps: ["next", "next", "next"], output: { steps: 3 } },
    { inputs: { from: 0 }, steps: ["next", "negative"], output: { steps: 2 } },
    { inputs: { from: 99 }, status: "failed", steps: Array.from({ length: 50 }, () => "next"), error: "50" }
  ],
  "judge.yaml": [
    {
      inputs: { text: "A." },
      agents: { review: [good] },
      steps: ["review", "final"],
      output: { verdict: "good", text: "A." }
    },
    {
      inputs: { text: "A." },
      agents: {
        review: [unclear],
        improve: ["B.", "C."],
        "improve (validator)": [{ passed: false, issues: ["Means more"] }]
      },
      steps: ["review", "improve", "final"],
      output: { verdict: "unclear", text: "C." }
    },
    {
      inputs: { text: "A." },
      agents: { review: [{ ...good, verdict: "fine" }] },
      status: "failed",
      steps: ["review"],
      error: "verdict"
    }
  ],
  "ticket.yaml": [
    {
      inputs: { number: 7 },
      tools: {
        tracker: {
          get_ticket: ({ number }) => ({ title: `It is slow since ${JSON.stringify(number)}` }),
          search: () => "Ticket 3 was solved by a restart."
        }
      },
      agents: { answer: [ScriptedAgents.reply("Restart.", { calls: [{ tool: "tracker__search", arguments: {} }] })] },
      steps: ["fetch", "answer"],
      output: { reply: "Restart." }
    },
    {
      inputs: { number: 8 },
      tools: { tracker: { get_ticket: () => ScriptedToolServers.failure("There is no ticket 8") } },
      status: "failed",
      steps: ["fetch", "unknown"],
      error: "There is no ticket 8"
    }
  ],
  "announce.yaml": [
    {
      inputs: { change: "It is faster." },
      agents: { write: ["Fast."], check: ["No."] },
      steps: ["write", "check"],
      output: { text: "Fast.", missing: "No." }
    }
  ],
  "compare.yaml": [
    {
      inputs: { topics: ["tea", "rain"] },
      agents: {
        for_it: ["Warm."],
        against_it: ["Wet."],
        "explain[0]": ["A drink."],
        explain: [{ error: { message: "no", status: 400 } }]
      },
      steps: ["opinions", "each_topic"],
      output: { for_it: "Warm.", against_it: "Wet.", explanations: ["A drink."], failed: 1 }
    }
  ],
  "report.yaml": [{ inputs: { text: "to be" }, steps: ["measure"], output: { summary: "2 words, the longest is to" } }],
  "publish.yaml": [
    {
      inputs: { title: "News" },
      answers: [choose("members"), write("Soon"), choose("__finish__"), choose("publish")],
      steps: ["details", "confirm"],
      output: { audience: "members", note: "Soon", decision: "publish" }
    },
    {
      inputs: { title: "News" },
      answers: [choose("everyone"), choose("__skip__"), choose("__finish__"), choose("stop", { reason: "Not today" })],
      status: "failed",
      steps: ["details", "confirm", "stopped"],
      error: "Not today"
    }
  ],
  "window.yaml": [
    { inputs: { open: true }, steps: ["look", "settle"], output: { done: true } },
    { inputs: { open: false }, steps: ["look", "closed"], output: { done: false } }
  ],
  "explicit.yaml": [
    {
      inputs: { topic: "tea" },
      agents: { facts: [{ facts: ["green", "hot"] }] },
      steps: ["facts", "write"],
      output: { text: "Write one dry sentence from: green, hot" }
    }
  ],
  "budget.yaml": [
    { inputs: { question: "Why?" }, agents: { answer: ["So."] }, steps: ["answer"], output: { text: "So." } },
    {
      inputs: { question: "Why?" },
      agents: { answer: [ScriptedAgents.reply("So.", { usage: { output_tokens: 30_000 } })] },
      status: "failed",
      steps: ["answer"],
      error: "budget"
    }
  ],
  "fragile.yaml": [{ status: "failed", steps: ["prepare", "fetch"], error: "JSON" }],
  "add.yaml": [{ inputs: { a: 1, b: 2 }, steps: ["sum"], output: { sum: 3 } }]
}

const plays = Object.entries(expectations).flatMap(([name, list]) =>
  list.map((expected, way) => ({ name, way, expected }))
)

describe.concurrent("docs/workflows.md", () => {
  it("has no example that nobody runs", () => {
    expect(Object.keys(files)).toEqual(Object.keys(expectations))
  })

  it("names commands that exist", () => {
    const lines = blocks("sh").flatMap((text) => text.trimEnd().split("\n"))
    for (const line of lines) {
      const words = [...(line.split(" #")[0] ?? "").matchAll(/'([^']*)'|((?:"[^"]*"|[^\s"'])+)/g)]
      const [program, ...call] = words.map(([, quoted, word = ""]) => quoted ?? word.replaceAll('"', ""))
      expect([program, understand(call)._tag, line]).toEqual(["conductor", "Call", line])
    }
  })

  it.scopedLive.each(Object.keys(files))("%s is valid", (name) =>
    Effect.gen(function* () {
      const loaded = yield* loadWorkflow(join(yield* pageFolder, name))
      expect(yield* validateWithSubWorkflows(loaded)).toEqual([])
      expect(`${loaded.document.workflow.name}.yaml`).toBe(name)
    }).pipe(Effect.provide(languagePlatform()))
  )

  it.scopedLive.each(plays)("$name ends as expected ($way)", ({ expected, name }) =>
    Effect.gen(function* () {
      const { error = "", output, status = "completed", steps, ...play } = expected
      const folder = yield* pageFolder
      const run = yield* playWorkflow(join(folder, name), { ...play, folder })
      expect({ status: run.status, steps: run.steps, error: run.error ?? "" }).toEqual({
        status,
        steps,
        error: expect.stringContaining(error)
      })
      if (output !== undefined) expect(run.output).toEqual(output)
    })
  )
})
