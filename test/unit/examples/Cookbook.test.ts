/** The workflows of examples/cookbook do what their descriptions say. Scripts are real; models and people are scripted. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parse } from "yaml"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { validateWithSubWorkflows } from "../../../src/language/validate/SubWorkflows.ts"
import { ScriptedAgents } from "../../../src/testing.ts"
import { ToolServers } from "../../../src/tools/ToolServers.ts"
import * as ToolServersLive from "../../../src/tools/ToolServersLive.ts"
import { gitRepository } from "../../support/GitRepository.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { playWorkflow, type Play } from "../../support/PlayWorkflow.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const cookbook = fileURLToPath(new URL("../../../examples/cookbook/", import.meta.url))
const files = readdirSync(cookbook).filter((name) => name.endsWith(".yaml") && name !== "index.yaml")

const play = (name: string, options: Play) => playWorkflow(join(cookbook, `${name}.yaml`), options)
const nowhere = "/"
const choose = (selected: string, additionalInput: Readonly<Record<string, string>> = {}) => ({
  selected,
  additionalInput
})

describe("every workflow of the cookbook", () => {
  it("is in the index, except those that are not exposed", () => {
    const { workflows } = parse(readFileSync(join(cookbook, "index.yaml"), "utf8"))
    const listed = Object.entries<{ readonly path: string }>(workflows).map(([key, { path }]) => [key, path])
    const exposed = files.filter((name) => !readFileSync(join(cookbook, name), "utf8").includes("expose: false"))
    expect(listed.toSorted()).toEqual(exposed.map((name) => [name.replace(".yaml", ""), name]))
  })

  it.effect.each(files)("%s is valid, described, and says how it is served", (name) =>
    Effect.gen(function* () {
      const loaded = yield* loadWorkflow(join(cookbook, name))
      const { workflow } = loaded.document
      expect(yield* validateWithSubWorkflows(loaded)).toEqual([])
      expect(workflow.name).toBe(name.replace(".yaml", ""))
      expect(workflow.description).toMatch(/\w/)
      expect(workflow.mcp).toHaveProperty("read_only")
      for (const input of Object.values(workflow.input)) expect(input.description).toMatch(/\w/)
    }).pipe(Effect.provide(languagePlatform()))
  )
})

describe.concurrent("review-changes", () => {
  const findings = [
    { file: "a.txt", line: 1, severity: "blocker", comment: "Says nothing." },
    { file: "a.txt", severity: "note", comment: "No newline." }
  ]

  it.scopedLive("shows the changes to the reviewer and gives its findings", () =>
    Effect.gen(function* () {
      const { commit, folder, write } = yield* gitRepository
      write("a.txt", "before\n")
      commit("Begin")
      write("a.txt", "after\n")
      const run = yield* play("review-changes", {
        folder,
        agents: { review: [{ verdict: "request_changes", summary: "Renames.", findings }] }
      })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["changes", "review"],
        output: { verdict: "request_changes", summary: "Renames.", findings, blockers: 1 }
      })
      expect(run.prompts[0]?.[1]).toContain("-before\n+after")
    })
  )

  it.scopedLive("asks nobody when nothing has changed", () =>
    Effect.gen(function* () {
      const { commit, folder, write } = yield* gitRepository
      write("a.txt", "same\n")
      commit("Begin")
      expect(yield* play("review-changes", { folder })).toMatchObject({
        status: "completed",
        steps: ["changes", "nothing_changed"],
        output: { verdict: "approve", findings: [], blockers: 0 },
        prompts: []
      })
    })
  )

  it.scopedLive("fails with git's reason, and takes no input for an option", () =>
    Effect.gen(function* () {
      const { folder } = yield* gitRepository
      const run = yield* play("review-changes", { folder, inputs: { base: "--output=stolen" } })
      expect(run).toMatchObject({ status: "failed", steps: ["changes", "no_changes_known"] })
      expect(run.error).toContain("--output=stolen")
      expect(readdirSync(folder)).toEqual([".git"])
    })
  )
})

describe.concurrent("release-notes", () => {
  const notes = { title: "2.0.0", notes: "Everything is new." }

  it.scopedLive("collects the commits since the latest tag and has the notes checked", () =>
    Effect.gen(function* () {
      const { commit, folder, tag, write } = yield* gitRepository
      write("a.txt", "1")
      commit("feat: begin")
      tag("v1.0.0")
      write("a.txt", "2")
      commit("feat(api)!: drop the old names")
      write("a.txt", "3")
      commit("fix: a typing mistake")
      const run = yield* play("release-notes", {
        folder,
        inputs: { version: "2.0.0" },
        agents: {
          write: [{ title: "2.0.0", notes: "Fixes." }, notes],
          "write (validator)": [{ passed: false, issues: ["No breaking change"] }]
        }
      })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["commits", "write"],
        output: { title: "2.0.0", notes: "Everything is new.", since: "v1.0.0", commits: 2, breaking: 1 }
      })
      expect(run.prompts[0]?.[1]).toMatch(/drop the old names \(BREAKING\)\n/)
      expect(run.prompts[0]?.[1]).not.toContain("feat: begin")
      expect(run.prompts.map(([step]) => step)).toEqual(["write", "write (validator)", "write"])
    })
  )

  it.scopedLive("fails where there is nothing to announce, or no repository", () =>
    Effect.gen(function* () {
      const { commit, folder, tag, write } = yield* gitRepository
      const inputs = { version: "2.0.0" }
      expect(yield* play("release-notes", { folder, inputs })).toMatchObject({
        status: "failed",
        steps: ["commits", "no_history"]
      })
      write("a.txt", "1")
      commit("feat: begin")
      tag("v1.0.0")
      expect(yield* play("release-notes", { folder, inputs })).toMatchObject({
        status: "failed",
        steps: ["commits", "no_news"],
        error: expect.stringContaining("There are no commits since v1.0.0")
      })
    })
  )
})

describe.concurrent("triage-report", () => {
  const inputs = { report: "It lost my data.", product: "Editor" }
  const urgent = { kind: "bug", severity: "high", summary: "Data is lost", reply: "We look into it." }
  const harmless = { ...urgent, severity: "low" }

  it.scopedLive("bothers nobody with what is not urgent", () =>
    Effect.gen(function* () {
      expect(yield* play("triage-report", { folder: nowhere, inputs, agents: { classify: [harmless] } })).toMatchObject(
        {
          status: "completed",
          steps: ["classify"],
          output: { ...harmless, confirmed: false }
        }
      )
    })
  )

  it.scopedLive("lets a person correct, and the model hears it", () =>
    Effect.gen(function* () {
      const run = yield* play("triage-report", {
        folder: nowhere,
        inputs,
        agents: { classify: [urgent, { ...urgent, kind: "question", severity: "low" }] },
        answers: [choose("correct", { correction: "They forgot to save." })]
      })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["classify", "confirm", "classify"],
        output: { kind: "question", severity: "low", confirmed: true }
      })
      expect(run.prompts[1]?.[1]).toContain("They forgot to save.")
    })
  )

  it.scopedLive("waits for a person, who may accept or refuse", () =>
    Effect.gen(function* () {
      const agents = { classify: [urgent] }
      expect(
        yield* play("triage-report", { folder: nowhere, inputs, agents, answers: [choose("accept")] })
      ).toMatchObject({
        status: "completed",
        output: { severity: "high", confirmed: true }
      })
      expect(
        yield* play("triage-report", { folder: nowhere, inputs, agents, answers: [choose("reject")] })
      ).toMatchObject({
        status: "completed",
        steps: ["classify", "confirm", "rejected"],
        output: { severity: "none" }
      })
    })
  )
})

describe.concurrent("research-folder", () => {
  const folderOf = workflowFolder({
    "tea.md": "Green tea wants water of 70 degrees. Tea is old.",
    "more/coffee.md": "Coffee is no tea.",
    "other.md": "Nothing."
  })
  const agents = {
    plan: [{ words: ["tea"] }],
    "reader[tea.md]": [{ file: "tea.md", facts: ["70 degrees"] }],
    reader: [{ error: { message: "overloaded", status: 400 } }],
    answer: [{ answer: "70 degrees.", sources: ["tea.md"] }]
  }

  it.scopedLive("reads the files that mention the words, and goes on when one cannot be read", () =>
    Effect.gen(function* () {
      const run = yield* play("research-folder", { folder: yield* folderOf, inputs: { question: "How hot?" }, agents })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["plan", "search", "read", "answer"],
        output: { answer: "70 degrees.", sources: ["tea.md"], files_read: 1, files_failed: 1 }
      })
      expect(run.prompts.map(([step]) => step).toSorted()).toEqual([
        "answer",
        "plan",
        "reader[more/coffee.md]",
        "reader[tea.md]"
      ])
      expect(run.prompts.at(-1)?.[1]).toContain("From tea.md:\n- 70 degrees")
    })
  )

  it.scopedLive("says so when no file mentions them", () =>
    Effect.gen(function* () {
      const run = yield* play("research-folder", {
        folder: yield* folderOf,
        inputs: { question: "How hot?" },
        agents: { plan: [{ words: ["cocoa", "milk"] }] }
      })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["plan", "search", "nothing_found"],
        output: { answer: "No file in . mentions cocoa, milk.", sources: [], files_read: 0 }
      })
    })
  )
})

describe.concurrent("extract-invoice", () => {
  const good = {
    number: "007",
    date: "2026-03-01",
    due: null,
    currency: "EUR",
    lines: [
      { description: "Tea", amount: 0.1 },
      { description: "Cups", amount: 0.2 }
    ],
    total: 0.3
  }
  const wrong = { ...good, total: 3 }
  const inputs = { text: "Invoice 007 …" }

  it.scopedLive("reads again what does not add up", () =>
    Effect.gen(function* () {
      const run = yield* play("extract-invoice", { folder: nowhere, inputs, agents: { extract: [wrong, good] } })
      expect(run).toMatchObject({ status: "completed", steps: ["extract", "check", "extract", "check"], output: good })
      expect(run.prompts[1]?.[1]).toContain("the lines add up to 0.3, the total is 3")
    })
  )

  it.scopedLive("gives up after three times", () =>
    Effect.gen(function* () {
      const run = yield* play("extract-invoice", { folder: nowhere, inputs, agents: { extract: [wrong] } })
      expect(run).toMatchObject({
        status: "failed",
        error: expect.stringContaining("Read three times, and still the lines")
      })
      expect(run.steps).toEqual(["extract", "check", "extract", "check", "extract", "check", "give_up"])
    })
  )
})

describe.concurrent("wait-for-file", () => {
  it.scopedLive("waits until the file is there and has stopped growing", () =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({})
      const waiting = yield* Effect.fork(
        play("wait-for-file", { folder, inputs: { path: "export.csv", every: "200ms" } })
      )
      yield* Effect.sleep("300 millis")
      writeFileSync(join(folder, "export.csv"), "12345")
      const { output, status, steps } = yield* waiting
      expect({ status, output }).toMatchObject({ status: "completed", output: { path: "export.csv", bytes: 5 } })
      expect(steps.slice(-3)).toEqual(["check", "pause", "check"])
    })
  )

  it.scopedLive("fails when it does not come", () =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({})
      const run = yield* play("wait-for-file", { folder, inputs: { path: "export.csv", every: "1ms", checks: 2 } })
      expect(run).toMatchObject({
        status: "failed",
        steps: ["check", "pause", "check", "give_up"],
        error: expect.stringContaining("export.csv was not there after 2 checks"),
        output: { bytes: -1, checks: 2 }
      })
    })
  )
})

describe.concurrent("survey-packages", () => {
  it.scopedLive("asks the other workflow about each folder and adds up", () =>
    Effect.gen(function* () {
      const folder = yield* workflowFolder({
        "packages/2024/README.md": "# One\n",
        "packages/2024/test/one.js": "// TODO more\n\n",
        "packages/two/two.js": "// TODO\n"
      })
      const run = yield* play("survey-packages", { folder, inputs: { folder: "packages" } })
      const one = { name: "2024", files: 2, lines: 3, todos: 1, has_readme: true, has_tests: true }
      const two = { name: "two", files: 1, lines: 1, todos: 1, has_readme: false, has_tests: false }
      expect(run).toMatchObject({
        status: "completed",
        steps: ["list", "survey"],
        output: { packages: [one, two], lines: 4, todos: 2, without_tests: ["two"], failed: 0 }
      })
    })
  )
})

describe.concurrent("polish-text", () => {
  const inputs = { text: "A text.", goal: "shorter", rounds: 3 }
  const write = [{ text: "Title: one" }, { text: "two" }, { text: "three" }]

  it.scopedLive("keeps the best version when the rounds are used up", () =>
    Effect.gen(function* () {
      const judge = [5, 7, 6].map((points) => ({ points, advice: `not ${String(points)}` }))
      const run = yield* play("polish-text", { folder: nowhere, inputs, agents: { write, judge } })
      expect(run).toMatchObject({
        status: "completed",
        output: { text: "two", points: 7, rounds: 3, enough: false }
      })
      expect(run.prompts[2]?.[1]).toMatch(/Title: one[^]*not 5/)
    })
  )

  it.scopedLive("stops at enough points, with the text as it was written", () =>
    Effect.gen(function* () {
      const judge = [{ points: 9, advice: "none" }]
      expect(yield* play("polish-text", { folder: nowhere, inputs, agents: { write, judge } })).toMatchObject({
        status: "completed",
        steps: ["write", "judge", "best"],
        output: { text: "Title: one", rounds: 1, enough: true }
      })
    })
  )

  it.scopedLive("fails when it has spent more than its budget", () =>
    Effect.gen(function* () {
      const costly = ScriptedAgents.reply({ text: "one" }, { usage: { output_tokens: 300_000 } })
      const run = yield* play("polish-text", { folder: nowhere, inputs, agents: { write: [costly] } })
      expect(run).toMatchObject({ status: "failed", steps: ["write"], error: expect.stringMatching(/budget/i) })
    })
  )
})

describe.concurrent("explain-term", () => {
  /** What the server of the cookbook, started as the workflow says, answers to the call of the tool. */
  const define = (term: string) =>
    Effect.gen(function* () {
      const { document } = yield* loadWorkflow(join(cookbook, "explain-term.yaml"))
      const servers = yield* ToolServers
      const definition = document.workflow.runtime.mcp_servers["glossary"]
      if (definition === undefined) return yield* Effect.dieMessage("the workflow declares no glossary")
      return yield* servers.call({ name: "glossary", definition, workingDirectory: cookbook }, "define", { term })
    }).pipe(
      Effect.provide(Layer.provideMerge(ToolServersLive.layer(), languagePlatform({ PATH: process.env["PATH"] ?? "" })))
    )

  it.scopedLive("explains what the server knows", () =>
    Effect.gen(function* () {
      const known = yield* define("Gate")
      const run = yield* play("explain-term", {
        folder: nowhere,
        inputs: { term: "Gate", audience: "a pilot" },
        tools: { glossary: { define: () => known } },
        agents: { explain: [{ text: "It waits for you." }] }
      })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["look_up", "explain"],
        output: { text: "It waits for you.", definition: expect.stringContaining("a person"), related: ["route"] }
      })
      expect(run.prompts[0]?.[1]).toMatch(/^Explain "gate" to a pilot/)
    })
  )

  it.scopedLive("fails with the words of the server for what it does not know", () =>
    Effect.gen(function* () {
      const unknown = yield* define("moon")
      const run = yield* play("explain-term", {
        folder: nowhere,
        inputs: { term: "moon" },
        tools: { glossary: { define: () => unknown } }
      })
      expect(run).toMatchObject({
        status: "failed",
        steps: ["look_up", "unknown"],
        error: expect.stringContaining("The glossary has no 'moon'. It has: run, step, route, gate"),
        prompts: []
      })
    })
  )
})

describe.concurrent("approve-release", () => {
  const repository = Effect.map(gitRepository, ({ commit, folder, tag, write }) => {
    write("a.txt", "1")
    commit("feat: begin")
    tag("v1")
    write("a.txt", "2")
    write("b.txt", "2")
    commit("feat: more")
    return folder
  })
  const inputs = { version: "1.10", since: "v1" }

  it.scopedLive("is enough with one person when little has changed", () =>
    Effect.gen(function* () {
      const run = yield* play("approve-release", { folder: yield* repository, inputs, answers: [choose("approve")] })
      expect(run).toMatchObject({
        status: "completed",
        steps: ["facts", "maintainer", "judge_risk"],
        output: { approved: true, version: "1.10", approved_by: ["maintainer"] }
      })
    })
  )

  it.scopedLive("asks the owner as well when much has, who may refuse", () =>
    Effect.gen(function* () {
      const folder = yield* repository
      const risky = { folder, inputs: { ...inputs, many_files: 1 } }
      const both = yield* play("approve-release", { ...risky, answers: [choose("approve"), choose("approve")] })
      expect(both).toMatchObject({
        status: "completed",
        output: { approved: true, approved_by: ["maintainer", "owner"] }
      })

      const refused = yield* play("approve-release", {
        ...risky,
        answers: [choose("approve"), choose("refuse", { reason: "Not on a Friday." })]
      })
      expect(refused).toMatchObject({
        status: "failed",
        steps: ["facts", "maintainer", "judge_risk", "owner", "refused"],
        error: expect.stringContaining("Not on a Friday."),
        output: { approved: false, approved_by: ["maintainer"] }
      })
    })
  )

  it.scopedLive("asks nobody without facts", () =>
    Effect.gen(function* () {
      const run = yield* play("approve-release", { folder: yield* repository, inputs: { ...inputs, since: "v9" } })
      expect(run).toMatchObject({ status: "failed", steps: ["facts", "no_facts"], output: { approved: false } })
    })
  )
})
