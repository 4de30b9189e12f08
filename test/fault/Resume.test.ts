/** Runs that were cut off and go on: whatever had finished stays finished, and one process at a time does it. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Stream } from "effect"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { RunEvent } from "../../src/domain/RunEvent.ts"
import { SERVER_VARIABLE } from "../../src/registries/GitRepositories.ts"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { readHistory } from "../../src/runs/RunHistory.ts"
import { RunCancellation } from "../../src/runs/RunCancellation.ts"
import { RunLauncher } from "../../src/runs/RunLauncher.ts"
import { RunMonitor } from "../../src/runs/RunMonitor.ts"
import { RunResumption, type ResumeOptions } from "../../src/runs/RunResumption.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import type { RunView } from "../../src/runs/RunView.ts"
import { gitServer } from "../support/GitServer.ts"
import { completion, openAiWireServer } from "../support/OpenAiWireServer.ts"
import { launch } from "../support/runs/Launches.ts"
import { detached } from "../support/runs/RunWorlds.ts"
import { long } from "../support/runs/Workflows.ts"
import { requestFor, Workspace } from "../support/runs/Workspace.ts"

/** Every step of it that runs leaves its name in `trace`. */
const trace = (name: string, then = ""): string =>
  `{ name: ${name}, type: script, command: sh, args: ["-c", "echo ${name} >> trace; ${then}"]`

/** Scripts, values, a wait, and a loop that is taken twice. */
const everything = `
workflow:
  name: everything
  entry_point: first
  limits: { max_iterations: 20 }
  input:
    who: { type: string, default: you }
agents:
  - ${trace("first", "echo one")}, routes: [{ to: count }] }
  - { name: count, type: set, value: "{{ (count.output if count is defined else 0) + 1 }}", routes: [{ to: rest }] }
  - { name: rest, type: wait, duration: 30ms, routes: [{ to: again }] }
  - ${trace("again", "echo again")}, routes: [{ to: count, when: "{{ count.output < 2 }}" }, { to: last }] }
  - ${trace("last", "echo $0")}, routes: [{ to: $end, output: { said: "{{ last.output.exit_code }}" } }] }
output:
  count: "{{ count.output }}"
  first: "{{ first.output.stdout }}"
  who: "{{ workflow.input.who }}"
  history: "{{ context.history | join(' ') }}"
`

const resume = (runId: string, options: Partial<ResumeOptions> = {}) =>
  Effect.flatMap(RunResumption, (resumption) =>
    resumption.resume(runId, { acceptChange: false, groups: "continue", ...options })
  )

const untilOver = (runId: string) => awaitRun(runId, "30 seconds")

const kill = ({ pid }: RunView): Effect.Effect<void> =>
  pid === undefined ? Effect.dieMessage("the run has no process") : Effect.sync(() => process.kill(pid, "SIGKILL"))

/** Waits until the log holds so many events, or ends. */
const untilEvent = (runId: string, seq: number) =>
  Effect.flatMap(RunMonitor, (monitor) =>
    monitor.events(runId, 1).pipe(
      Stream.takeUntil((event) => event.seq >= seq),
      Stream.runDrain
    )
  )

const traceOf = Effect.map(Workspace, ({ folder }): ReadonlyArray<string> =>
  readFileSync(join(folder, "trace"), "utf8").trim().split("\n")
)

const stepsOf = (events: ReadonlyArray<RunEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "agent_started" ? [event.data.agent_name] : []))

describe("a run that was cut off", () => {
  it.live("by a SIGKILL at any moment goes on to the same output, as often as it takes", () =>
    Effect.gen(function* () {
      const launched = yield* launch(everything)
      let view = launched
      for (const seq of [3, 9, 14, 21, 26]) {
        yield* untilEvent(view.runId, seq)
        const monitor = yield* RunMonitor
        const seen = yield* monitor.status(view.runId)
        if (seen.pid === undefined) break
        yield* kill(seen)
        const dead = yield* untilOver(view.runId)
        if (dead.status === "completed") break
        expect(dead).toMatchObject({ status: "lost", error: { message: expect.stringContaining("conductor resume") } })
        view = yield* resume(view.runId)
      }
      const end = yield* untilOver(view.runId)
      expect(end).toMatchObject({
        status: "completed",
        output: { count: 2, said: 0, history: "first count rest again count rest again last" }
      })
      const history = yield* readHistory(view.runId)
      const starts = history.filter(({ type }) => type === "workflow_started").length
      // Each kill cuts off one step at most.
      expect((yield* traceOf).length).toBeLessThanOrEqual(4 + starts - 1)
      expect(new Set(yield* traceOf)).toEqual(new Set(["first", "again", "last"]))
    }).pipe(Effect.provide(detached))
  )

  it.live("and was cancelled by hand goes on, and does not hear again that it should end", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      const { runId } = yield* launch(long.replace("exec sleep 60", "test -e ready || exec sleep 60"))
      yield* untilEvent(runId, 3)
      yield* Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(runId, "a test"))
      yield* workspace.write("ready", "")
      yield* resume(runId)
      expect(yield* untilOver(runId)).toMatchObject({ status: "completed", output: { said: "begun\n" } })
    }).pipe(Effect.provide(detached))
  )
})

/** Fails until there is a file `ready`. */
const unready = `
workflow: { name: unready, entry_point: first, limits: { max_iterations: 20 } }
agents:
  - ${trace("first", "cat words")}, routes: [{ to: second }] }
  - ${trace("second", "test -e ready")}, routes: [{ to: third, when: "exit_code == 0" }] }
  - { name: third, type: set, value: !file third.txt, routes: [{ to: $end }] }
output: { said: "{{ third.output }}" }
`

const failedRun = Effect.gen(function* () {
  const workspace = yield* Workspace
  yield* workspace.write("third.txt", "as it was")
  const { runId } = yield* launch(unready)
  expect((yield* untilOver(runId)).status).toBe("failed")
  yield* workspace.write("ready", "")
  return runId
})

describe("a run that failed", () => {
  it.live("goes on at the step that failed, with the files as they were when it started", () =>
    Effect.gen(function* () {
      const { folder } = yield* Workspace
      const runId = yield* failedRun
      writeFileSync(join(folder, "third.txt"), "something else")
      rmSync(join(folder, "example.yaml"))
      yield* resume(runId)
      expect(yield* untilOver(runId)).toMatchObject({ status: "completed", output: { said: "as it was" } })
      expect(yield* traceOf).toEqual(["first", "second", "second"])
    }).pipe(Effect.provide(detached))
  )

  it.live("goes on with the present files when the change is accepted, and keeps those from then on", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Workspace
      const runId = yield* failedRun
      yield* write("third.txt", "as it is now")
      yield* write("example.yaml", unready.replace("name: unready", "name: changed"))
      rmSync(join(folder, "ready"))
      yield* resume(runId, { acceptChange: true })
      const again = yield* untilOver(runId)
      expect(again).toMatchObject({ status: "failed", workflow: { name: "changed" } })
      yield* write("ready", "")
      yield* write("third.txt", "later")
      yield* resume(runId)
      const end = yield* untilOver(runId)
      expect(end).toMatchObject({ status: "completed", output: { said: "as it is now" } })
      expect(end.workflow.pin).toBe(again.workflow.pin)
    }).pipe(Effect.provide(detached))
  )

  it.live("is refused when its copy is damaged or missing, unless the present file is accepted", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const runId = yield* failedRun
      const copies = store.files((yield* store.spec(yield* idOf(runId))).run_id).workflow
      writeFileSync(join(copies, "third.txt"), "tampered with")
      expect(yield* Effect.flip(resume(runId))).toMatchObject({
        _tag: "LaunchError",
        reason: "drift",
        message: expect.stringMatching(/third\.txt.*is damaged.*--accept-change/)
      })
      rmSync(join(copies, "example.yaml"))
      expect(yield* Effect.flip(resume(runId))).toMatchObject({ message: expect.stringMatching(/is missing/) })
      expect((yield* untilOver(runId)).status).toBe("failed")
      yield* resume(runId, { acceptChange: true })
      expect(yield* untilOver(runId)).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(detached))
  )

  it.live("is refused when the changed file does not have the step at which it stopped", () =>
    Effect.gen(function* () {
      const { write } = yield* Workspace
      const runId = yield* failedRun
      yield* write("example.yaml", unready.replaceAll("second", "other"))
      expect(yield* Effect.flip(resume(runId, { acceptChange: true }))).toMatchObject({
        reason: "workflow",
        message: expect.stringMatching(/stopped at step 'second'.*It has: first, other, third/)
      })
      yield* resume(runId)
      expect(yield* untilOver(runId)).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(detached))
  )

  it.live("and is resumed by several at once goes on in one process, and the others are told so", () =>
    Effect.gen(function* () {
      const runId = yield* failedRun
      yield* Effect.flatMap(Workspace, ({ write }) => write("words", ""))
      const outcomes = yield* Effect.all(
        [1, 2, 3].map(() => Effect.either(resume(runId))),
        { concurrency: 3 }
      )
      expect(outcomes.filter(Either.isRight)).toHaveLength(1)
      for (const refusal of outcomes.flatMap((outcome) => (Either.isLeft(outcome) ? [outcome.left] : []))) {
        expect(refusal._tag).toBe("NotResumable")
        expect(refusal.message).toMatch(/is running, in process|has completed/)
      }
      expect((yield* untilOver(runId)).status).toBe("completed")
      const starts = (yield* readHistory(yield* idOf(runId))).filter(({ type }) => type === "workflow_started")
      expect(starts).toHaveLength(2)
    }).pipe(Effect.provide(detached))
  )
})

/** Steps of a workflow that is not its own: the run's is in a folder, the review's in a registry. */
const reviewing = `
workflow: { name: reviewing, entry_point: first }
agents:
  - ${trace("first", "test -e ready")}, routes: [{ to: second, when: "exit_code == 0" }] }
  - { name: second, type: workflow, workflow: review@team, routes: [{ to: $end }] }
output: { said: "{{ second.output.said }}" }
`
const review = `
workflow: { name: review, entry_point: ask }
agents:
  - { name: ask, type: human_gate, prompt: !file prompts/ask.md, options: [{ label: y, value: y, route: text }] }
  - { name: text, type: set, value: !file words.txt, routes: [{ to: $end }] }
output: { said: "{{ text.output }}" }
`
const reviewFiles = {
  "review.yaml": review,
  "words.txt": "as it was",
  "prompts/ask.md": "{% include 'part.md' %}",
  "prompts/part.md": "may I?"
}

/** A run that failed before it came to the review. */
const reviewedRun = Effect.fn("reviewedRun")(function* (text: string) {
  const { write } = yield* Workspace
  const launcher = yield* RunLauncher
  const request = yield* requestFor(yield* write("example.yaml", text))
  const { runId } = yield* launcher.launch({ ...request, gates: "skip" })
  expect((yield* untilOver(runId)).status).toBe("failed")
  yield* write("ready", "")
  return runId
})

const registeredReview = Effect.gen(function* () {
  const { folder, write } = yield* Workspace
  yield* write("home/registries.toml", `[registries.team]\ntype = "path"\nsource = "${join(folder, "team")}"\n`)
  yield* Effect.forEach(Object.entries(reviewFiles), ([name, text]) => write(`team/${name}`, text))
})

/** The review in a repository. Processes that are started in the scope look for repositories there. */
const servedReview = Effect.gen(function* () {
  const server = yield* gitServer
  server.commit((folder) => {
    mkdirSync(join(folder, "prompts"))
    for (const [name, text] of Object.entries(reviewFiles)) writeFileSync(join(folder, name), text)
  })
  yield* Effect.acquireRelease(
    Effect.sync(() => void (process.env[SERVER_VARIABLE] = server.url)),
    () => Effect.sync(() => delete process.env[SERVER_VARIABLE])
  )
  return server
})

const expectReviewed = Effect.fn("expectReviewed")(function* (runId: string) {
  // A gate that is skipped is open for a moment, at which whoever waits for the run would be told of it.
  yield* Effect.flatMap(RunMonitor, (monitor) => Stream.runDrain(monitor.events(runId, 1)))
  expect(yield* untilOver(runId)).toMatchObject({ status: "completed", output: { said: "as it was" } })
  const events = yield* readHistory(yield* idOf(runId))
  expect(events.filter(({ type }) => type === "gate_presented")).toMatchObject([{ data: { prompt: "may I?" } }])
})

describe("a run of workflows from a registry", () => {
  it.live("goes on, and is forked, with their copies when the registry is gone or changed", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Workspace
      const resumption = yield* RunResumption
      yield* registeredReview
      const runId = yield* reviewedRun(reviewing)
      rmSync(join(folder, "team"), { recursive: true })
      rmSync(join(folder, "home", "registries.toml"))
      rmSync(join(folder, "example.yaml"))
      // What a reference would lead to now.
      yield* write("review@team", "workflow: [")
      const fork = yield* resumption.fork({ runId, from: "first", provenance: { via: "library" } })
      yield* expectReviewed(fork.runId)
      yield* resume(runId)
      yield* expectReviewed(runId)
    }).pipe(Effect.provide(detached))
  )

  it.scopedLive("goes on with the commit that it began with when the branch has moved and the cache is gone", () =>
    Effect.gen(function* () {
      const { folder } = yield* Workspace
      const server = yield* servedReview
      const runId = yield* reviewedRun(reviewing.replace("review@team", "review@acme/flows#main"))
      server.commit((work) => writeFileSync(join(work, "words.txt"), "as it is now"))
      rmSync(join(folder, "home", "cache", "repositories"), { recursive: true })
      yield* resume(runId)
      yield* expectReviewed(runId)
    }).pipe(Effect.provide(detached))
  )
})

describe("a group that was cut off", () => {
  /** The first item is quick, the second fails until there is a file `ready`. */
  const items = `
workflow: { name: items, entry_point: each }
agents: []
for_each:
  - name: each
    type: for_each
    source: workflow.input.names
    as: it
    max_concurrent: 1
    agent: { name: one, type: workflow, workflow: ./item.yaml, input_mapping: { name: "{{ it }}" } }
output: { n: "{{ each.count }}" }
`.replace("entry_point: each", 'entry_point: each, input: { names: { type: array, default: ["a", "b"] } }')
  const item = `
workflow: { name: item, entry_point: run, input: { name: { type: string, required: true } } }
agents:
  - name: run
    type: script
    command: sh
    args: ["-c", "echo $0 >> trace; test $0 = a || test -e ready", "{{ workflow.input.name }}"]
    routes: [{ to: $end, when: "exit_code == 0" }]
`

  it.live("goes on with what has not finished, or begins anew when that is wanted", () =>
    Effect.gen(function* () {
      const { write } = yield* Workspace
      yield* write("item.yaml", item)
      const failed = Effect.gen(function* () {
        const { runId } = yield* launch(items)
        expect((yield* untilOver(runId)).status).toBe("failed")
        return runId
      })
      const [first, second] = [yield* failed, yield* failed]
      expect(yield* traceOf).toEqual(["a", "b", "a", "b"])
      yield* write("ready", "")
      yield* resume(first)
      expect(yield* untilOver(first)).toMatchObject({ status: "completed", output: { n: 2 } })
      expect((yield* traceOf).slice(4)).toEqual(["b"])
      yield* resume(second, { groups: "restart" })
      expect(yield* untilOver(second)).toMatchObject({ status: "completed", output: { n: 2 } })
      expect((yield* traceOf).slice(5)).toEqual(["a", "b"])
    }).pipe(Effect.provide(detached))
  )
})

describe("a run with a plugin from a repository", () => {
  const skill = (text: string) => `---\nname: s\ndescription: Does s.\n---\n${text}\n`

  it.scopedLive(
    "goes on, and is forked, with the commit that it began with, whatever has become of the repository",
    () =>
      Effect.gen(function* () {
        const { folder, write } = yield* Workspace
        const model = yield* openAiWireServer([completion("done")])
        const server = yield* servedReview
        server.commit((work) => {
          for (const below of [".claude-plugin", "deep/p/.claude-plugin", "deep/p/skills/s"]) {
            mkdirSync(join(work, below), { recursive: true })
          }
          const listed = { plugins: [{ name: "p", source: "./deep/p" }] }
          writeFileSync(join(work, ".claude-plugin/marketplace.json"), JSON.stringify(listed))
          writeFileSync(join(work, "deep/p/.claude-plugin/plugin.json"), '{"name": "p"}')
          writeFileSync(join(work, "deep/p/skills/s/SKILL.md"), skill("as it was"))
        })
        const { runId } = yield* launch(`
workflow:
  name: plugged
  entry_point: first
  runtime:
    provider: { name: openai, base_url: "${model.url}", api_key: none }
    plugin_sources: { team: "acme/flows#main", idle: "acme/nowhere" }
    plugins: [p@team]
agents:
  - ${trace("first", "test -e ready")}, routes: [{ to: second, when: "exit_code == 0" }] }
  - { name: second, prompt: task }
output: { said: "{{ second.output.result }}" }
`)
        expect((yield* untilOver(runId)).status).toBe("failed")
        yield* write("ready", "")
        server.commit((work) => writeFileSync(join(work, "deep/p/skills/s/SKILL.md"), skill("as it is now")))
        rmSync(join(folder, "home", "cache", "repositories"), { recursive: true })
        rmSync(join(server.folder, "acme"), { recursive: true })
        const resumption = yield* RunResumption
        const fork = yield* resumption.fork({ runId, from: "first", provenance: { via: "library" } })
        yield* resume(runId)
        for (const run of [runId, fork.runId]) {
          expect(yield* untilOver(run)).toMatchObject({ status: "completed", output: { said: "done" } })
        }
        expect(model.requests).toHaveLength(2)
        for (const { body } of model.requests) expect(JSON.stringify(body)).toContain("as it was")
      }).pipe(Effect.provide(detached))
  )

  it.live("from a folder goes on when that is gone, and the list in it that says where the plugin is", () =>
    Effect.gen(function* () {
      const { folder, write } = yield* Workspace
      yield* write("market/.claude-plugin/marketplace.json", '{"plugins": [{"name": "p", "source": "./deep/p"}]}')
      yield* write("market/deep/p/.claude-plugin/plugin.json", '{"name": "p"}')
      yield* write("market/deep/p/skills/s/SKILL.md", skill("as it was"))
      const { runId } = yield* launch(`
workflow:
  name: plugged
  entry_point: first
  runtime: { provider: { name: openai, base_url: "http://127.0.0.1:9/v1", api_key: none }, plugin_sources: { m: ./market }, plugins: [p@m] }
agents: [{ name: first, prompt: task, retry: { max_attempts: 1 } }]
`)
      const errorOf = Effect.map(untilOver(runId), ({ error, status }) => ({ status, type: error?.type }))
      expect(yield* errorOf).toEqual({ status: "failed", type: "ProviderError" })
      rmSync(join(folder, "market"), { recursive: true })
      yield* resume(runId)
      expect(yield* errorOf).toEqual({ status: "failed", type: "ProviderError" })
      const prompts = (yield* readHistory(yield* idOf(runId))).filter(({ type }) => type === "agent_prompt_rendered")
      expect(prompts).toHaveLength(2)
      for (const { data } of prompts) expect(JSON.stringify(data)).toContain("as it was")
    }).pipe(Effect.provide(detached))
  )

  it.scopedLive("that cannot be fetched is refused before it starts, with the reason", () =>
    Effect.gen(function* () {
      yield* servedReview
      const refused = yield* Effect.flip(
        launch(`
workflow:
  name: plugged
  entry_point: first
  runtime: { provider: openai, plugin_sources: { team: "acme/gone" }, plugins: [p@team] }
agents: [{ name: first, prompt: task }]
`)
      )
      expect(refused.message).toMatch(/first: Repository 'acme\/gone': 'git fetch' of .* failed/)
    }).pipe(Effect.provide(detached))
  )
})

const idOf = (runId: string) =>
  Effect.flatMap(RunMonitor, (monitor) => Effect.map(monitor.status(runId), (view) => view.runId))

describe("a run that needs nobody to go on with it", () => {
  it.live("is not resumed: it is running, it has completed, or its workflow ended it", () =>
    Effect.gen(function* () {
      const running = yield* launch(long)
      expect(yield* Effect.flip(resume(running.runId))).toMatchObject({
        _tag: "NotResumable",
        message: expect.stringContaining(`is running, in process ${running.pid}`)
      })
      const completed = yield* untilOver((yield* launch(everything)).runId)
      expect((yield* Effect.flip(resume(completed.runId))).message).toMatch(/has completed.*conductor runs fork/)
      const ended = `
workflow: { name: ended, entry_point: stop }
agents:
  - { name: stop, type: terminate, status: failed, reason: enough }
`
      const terminated = yield* untilOver((yield* launch(ended)).runId)
      expect((yield* Effect.flip(resume(terminated.runId))).message).toMatch(/on purpose by its step 'stop': enough/)
      yield* Effect.flatMap(RunCancellation, (cancellation) => cancellation.cancel(running.runId, "a test"))
    }).pipe(Effect.provide(detached))
  )
})

describe("a fork", () => {
  it.live("takes over what finished before the step, and leaves the other run alone", () =>
    Effect.gen(function* () {
      const original = yield* untilOver((yield* launch(everything)).runId)
      const before = yield* readHistory(original.runId)
      const resumption = yield* RunResumption
      const forked = yield* resumption.fork({ runId: original.runId, from: "again", provenance: { via: "library" } })
      expect(forked.runId).not.toBe(original.runId)
      expect(forked.startedAt > original.startedAt).toBe(true)
      const end = yield* untilOver(forked.runId)
      expect(end).toMatchObject({ status: "completed", output: original.output })
      const prefix = before.findLastIndex(
        (event) => event.type === "agent_started" && event.data.agent_name === "again"
      )
      const events = yield* readHistory(forked.runId)
      expect(events.slice(0, prefix)).toEqual(before.slice(0, prefix))
      expect(stepsOf(events.slice(prefix))).toEqual(["again", "last"])
      expect(yield* readHistory(original.runId)).toEqual(before)
    }).pipe(Effect.provide(detached))
  )

  it.live("from a step that has not started is refused with the steps that have", () =>
    Effect.gen(function* () {
      const runId = yield* failedRun
      const resumption = yield* RunResumption
      const forking = resumption.fork({ runId, from: "thrid", provenance: { via: "library" } })
      expect(yield* Effect.flip(forking)).toMatchObject({ _tag: "ForkRefused", started: ["first", "second"] })
    }).pipe(Effect.provide(detached))
  )
})
