import { Effect, Schedule } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { listGates } from "../../../src/cli/gate/list.ts"
import { respondToGate } from "../../../src/cli/gate/respond.ts"
import { guide } from "../../../src/cli/guide.ts"
import { logs } from "../../../src/cli/logs.ts"
import { addRegistry, removeRegistry, setDefaultRegistry } from "../../../src/cli/registry/change.ts"
import { listRegistry } from "../../../src/cli/registry/list.ts"
import { resolveWorkflow } from "../../../src/cli/ResolveWorkflow.ts"
import { run } from "../../../src/cli/run.ts"
import { listRuns } from "../../../src/cli/runs/list.ts"
import { show } from "../../../src/cli/show.ts"
import { status } from "../../../src/cli/status.ts"
import { stop } from "../../../src/cli/stop.ts"
import { validate } from "../../../src/cli/validate.ts"
import { awaitRun } from "../../../src/runs/AwaitRun.ts"
import { RunLauncher } from "../../../src/runs/RunLauncher.ts"
import { RunMonitor } from "../../../src/runs/RunMonitor.ts"
import { approval, greeting, long, scripted } from "../../support/runs/Workflows.ts"
import { type AnyCommand, type CommandWorld, last, makeCommandWorld } from "./CommandWorld.ts"

const plainRun = {
  input: [],
  "input-json": [],
  provider: undefined,
  "skip-gates": false,
  "dry-run": false,
  "workspace-instructions": false,
  instructions: [],
  detach: false,
  quiet: false,
  json: false
}
const start = (workflow: string, ...input: ReadonlyArray<string>) => run({ ...plainRun, workflow, input })
const instructed = (instructions: ReadonlyArray<string>, workflow: string) =>
  run({ ...plainRun, workflow, instructions })
const everyRun = { status: undefined, workflow: undefined, limit: 20, offset: 0, json: false }

/** Starts a run that nobody follows, and waits until it asks something. */
const atGate = (workflow: string): AnyCommand =>
  Effect.gen(function* () {
    const launcher = yield* RunLauncher
    const located = yield* resolveWorkflow(workflow)
    const { runId } = yield* launcher.launch({
      ...located,
      inputs: {},
      metadata: {},
      launchDirectory: process.cwd(),
      provenance: { via: "library" }
    })
    yield* awaitRun(runId, "10 seconds")
  })

/** A command about the newest run. */
const ofNewest = (command: (runId: string) => AnyCommand): AnyCommand =>
  Effect.flatMap(RunMonitor, (monitor) =>
    Effect.flatMap(monitor.list({ limit: 1, offset: 0 }), ({ runs }) => command(runs[0]?.runId ?? "none"))
  )

describe("the commands", () => {
  let world: CommandWorld
  beforeEach(async () => {
    world = await makeCommandWorld()
  })
  afterEach(() => world.remove())

  describe("run with instructions", () => {
    it("gives the files to the agents and says so, and refuses a file that is not there", async () => {
      const rules = await world.write("rules.md", "Be kind.")
      const file = await world.write(
        "ask.yaml",
        "workflow: {name: w, entry_point: a}\nagents: [{name: a, prompt: task}]\noutput: {r: '{{ a.output.result }}'}\n"
      )
      const [given, missing] = await world.perform(instructed([rules], file), instructed(["nowhere.md"], file))
      expect(given?.stderr).toMatch(/note: agents get the instructions of \S*rules\.md/)
      expect(given?.stdout).toContain("# Instructions from: rules.md\\n\\nBe kind.")
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no file 'nowhere.md'") })
    })
  })

  describe("gate and guide", () => {
    const answer = (value: string, ...input: ReadonlyArray<string>) =>
      ofNewest((id) => respondToGate({ run: id, value, input, json: false }))
    const text = approval.replace('value: "yes"', 'value: "yes\\u001b[31m"')

    it("show what is asked, and what a terminal would obey does nothing", async () => {
      const file = await world.write("approval.yaml", text)
      const [, listed, json, said] = await world.perform(
        atGate(file),
        listGates({ json: false }),
        listGates({ json: true }),
        ofNewest((id) => guide({ run: id, text: "be brief" }))
      )
      expect(listed?.stdout).toContain("approve asks: Ship it?")
      expect(listed?.stdout).toContain("no --input why=TEXT  Hold")
      expect(listed?.stdout).not.toContain("\u001b[31m")
      expect(JSON.parse(json?.stdout ?? "")).toMatchObject({ gates: [{ workflow: "approval", step: "approve" }] })
      expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("before its next step") })
    })

    it("refuse a wrong answer with 1 and words that cannot be read with 2", async () => {
      const file = await world.write("approval.yaml", approval)
      const [, wrong, malformed, right, none] = await world.perform(
        atGate(file),
        answer("maybe"),
        answer("no", "why"),
        answer("no", "why=too early"),
        listGates({ json: false })
      )
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("Valid answers: yes (Ship), no (Hold).") })
      expect(malformed).toMatchObject({ code: 2, stderr: expect.stringContaining("FIELD=TEXT") })
      expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining("took the answer 'no'") })
      expect(none?.stderr).toBe("No run waits for an answer.\n")
    })

    it("of a run that waits is told by the command that started it", async () => {
      const file = await world.write("approval.yaml", approval)
      const answered = Effect.retry(answer("yes"), { schedule: Schedule.spaced("20 millis"), times: 200 })
      const { stderr, stdout } = last(
        await world.perform(Effect.all([start(file), answered], { concurrency: "unbounded" }))
      )
      expect(stderr).toMatch(/Answer with 'conductor gate respond [0-9a-f]{10} <value>':/)
      expect(stdout).toContain('"answer": "yes"')
    })
  })

  describe("run", () => {
    it("prints the output as JSON on stdout and nothing else there", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { code, stderr, stdout } = last(await world.perform(start(file, "who=you")))
      expect(JSON.parse(stdout)).toEqual({ text: "Hello you" })
      expect(stderr).toMatch(/^run [0-9a-f]{10}\n/)
      expect(code).toBe(0)
    })

    it("without a terminal tells each event on one line of stderr, and nothing when it shall be quiet", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const input = ["who=a\u001b[31m\nb \u202e[bold]"]
      const [told, quiet] = await world.perform(
        start(file, ...input),
        run({ ...plainRun, workflow: file, input, quiet: true })
      )
      const [first, ...events] = told?.stderr.trimEnd().split("\n") ?? []
      expect(first).toMatch(/^run [0-9a-f]{10}$/)
      expect(events.map((line) => line.split(/ +/)[2])).toEqual([
        "workflow_started",
        "agent_started",
        "set_started",
        "set_completed",
        "route_taken",
        "workflow_completed"
      ])
      expect(told?.stderr).toContain(String.raw`output=Hello a\u001b[31m b \u202e[bold]`)
      expect(quiet).toMatchObject({ code: 0, stderr: "" })
    })

    it("as JSON prints the events and last the result, one object a line", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { stderr, stdout } = last(
        await world.perform(run({ ...plainRun, workflow: file, input: ["who=you"], json: true }))
      )
      const lines = stdout.trimEnd().split("\n")
      const parsed = lines.map((line) => JSON.parse(line))
      expect(parsed[0]).toMatchObject({ seq: 1, type: "workflow_started", timestamp: expect.any(Number) })
      expect(parsed.at(-2)).toMatchObject({ type: "workflow_completed", data: { output: { text: "Hello you" } } })
      expect(parsed.at(-1)).toMatchObject({
        type: "run_result",
        run: { run_id: expect.any(String), status: "completed", output: { text: "Hello you" } }
      })
      expect(stderr).toMatch(/^run [0-9a-f]{10}\n$/)
    })

    it("detached prints the id alone, or what is known of the run as JSON, and leaves it running", async () => {
      const file = await world.write("long.yaml", long)
      const detached = { ...plainRun, workflow: file, detach: true }
      const end = ofNewest((runId) => stop({ run: runId, json: false }))
      const [id, ended, json] = await world.perform(run(detached), end, run({ ...detached, json: true }), end)
      expect(id).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{10}\n$/), stderr: "" })
      expect(JSON.parse(json?.stdout ?? "")).toMatchObject({ run_id: expect.any(String), status: "running" })
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("is cancelled") })
    })

    it("dry shows what would run and starts nothing; a workflow that is not valid is refused all the same", async () => {
      const file = await world.write("approval.yaml", approval)
      const broken = await world.write("broken.yaml", approval.replace("entry_point: approve", "entry_point: aprove"))
      const dry = { ...plainRun, "dry-run": true }
      const [tree, data, refused, list] = await world.perform(
        run({ ...dry, workflow: file }),
        run({ ...dry, workflow: file, json: true }),
        run({ ...dry, workflow: broken }),
        listRuns(everyRun)
      )
      expect(tree?.stdout).toContain("├─ approve  human_gate\n│  ├─ → $end  when yes\n│  └─ → $end  when no\n")
      expect(JSON.parse(data?.stdout ?? "")).toMatchObject({
        name: "approval",
        nodes: [{ name: "approve", type: "human_gate", routes: [{ to: "$end", when: "yes", loops: false }, {}] }],
        unreached: ["after"]
      })
      expect(refused).toMatchObject({ code: 1, stdout: "" })
      expect(list?.stderr).toContain("No runs yet.")
    })

    it("of a workflow that fails says why and where to look, and ends with 1", async () => {
      const file = await world.write(
        "broken.yaml",
        scripted("exit 3").replace("{{ work.output.stdout }}", "{{ nope }}")
      )
      const { code, stderr, stdout } = last(await world.perform(start(file)))
      expect(stdout).toBe("")
      expect(stderr).toMatch(
        /Run [0-9a-f]{10} failed\.\n.*nope.*\nSee 'conductor logs [0-9a-f]{10}'; go on with 'conductor resume [0-9a-f]{10}'\./s
      )
      expect(code).toBe(1)
    })

    it("with a missing input starts nothing, says which, and ends with 2", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const [first, list] = await world.perform(start(file), listRuns(everyRun))
      expect(first).toEqual({ code: 2, stdout: "", stderr: "missing input 'who'\n  -i who=<string>\n" })
      expect(list?.stderr).toContain("No runs yet.")
    })

    it("of a file that is not there names the one that was probably meant", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { code, stderr } = last(await world.perform(start(file.replace("greeting", "greetign"))))
      expect(stderr).toContain(`Did you mean '${file}'?`)
      expect(code).toBe(1)
    })

    it("of a folder says what can be done with a folder", async () => {
      for (const folder of [`${world.folder}/`, "docs"]) {
        const { code, stderr } = last(await world.perform(start(folder)))
        expect(stderr).toContain(`'${folder}' is a folder`)
        expect(stderr).toContain("conductor registry add")
        expect(code).toBe(1)
      }
    })

    it("of a workflow that is not valid starts nothing and says all that is wrong with it", async () => {
      const text = greeting.replace("{{ greet.output }}", "{{ gret.output | upperr }}")
      const file = await world.write("greeting.yaml", text)
      const [first, list] = await world.perform(start(file, "who=you"), listRuns(everyRun))
      expect(first).toMatchObject({ code: 1, stdout: "" })
      expect(first?.stderr).toContain('did you mean "greet"')
      expect(first?.stderr).toContain('did you mean "upper"')
      expect(first?.stderr).toContain(`${file} is not valid: 2 errors, 0 warnings`)
      expect(list?.stderr).toContain("No runs yet.")
    })

    it("of a workflow that is only doubtful runs it and says where the doubts are told", async () => {
      const text = greeting.replace("entry_point: greet", "entry_point: greet\n  limits: {max_iteration: 3}")
      const file = await world.write("greeting.yaml", text)
      const { code, stderr, stdout } = last(await world.perform(start(file, "who=you")))
      expect(JSON.parse(stdout)).toEqual({ text: "Hello you" })
      expect(stderr).toContain(`note: 0 errors, 1 warning; see 'conductor validate ${file}'`)
      expect(code).toBe(0)
    })

    it("finds a workflow in a registry by its name", async () => {
      await world.write("greeting.yaml", greeting)
      const add = addRegistry({ name: "mine", source: world.folder, type: undefined, default: false })
      const { stdout } = last(await world.perform(add, start("greeting@mine", "who=me")))
      expect(JSON.parse(stdout)).toEqual({ text: "Hello me" })
    })
  })

  describe("status, stop and logs", () => {
    it("tell of a run that ended", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const [, shown, stopped, events] = await world.perform(
        start(file, "who=you"),
        ofNewest((runId) => status({ run: runId, json: true })),
        ofNewest((runId) => stop({ run: runId, json: false })),
        ofNewest((runId) => logs({ run: runId, follow: true, process: undefined, json: true }))
      )
      expect(JSON.parse(shown?.stdout ?? "")).toMatchObject({ status: "completed", output: { text: "Hello you" } })
      expect(stopped).toMatchObject({ code: 0, stdout: expect.stringMatching(/had already ended: completed\.\n$/) })
      const types = events?.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type)
      expect(types?.[0]).toBe("workflow_started")
      expect(types?.at(-1)).toBe("workflow_completed")
    })

    it("answer an id that is not known with the one that was probably meant", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { code, stderr } = last(
        await world.perform(
          start(file, "who=you"),
          ofNewest((runId) => status({ run: `${runId.slice(0, -1)}_`, json: false }))
        )
      )
      expect(stderr).toMatch(/^No run has the id '.*'\. Did you mean '[0-9a-f]{10}'\?\n$/)
      expect(code).toBe(1)
    })

    it("answer an id that no run could have", async () => {
      const { code, stderr } = last(await world.perform(status({ run: "../../etc/passwd", json: false })))
      expect(stderr).toContain("No run has the id '../../etc/passwd'")
      expect(code).toBe(1)
    })

    it("do not take flags that say nothing together", async () => {
      const both = logs({ run: "x", follow: true, process: "stdout", json: false })
      expect(last(await world.perform(both))).toMatchObject({ code: 2, stdout: "" })
    })
  })

  describe("runs list", () => {
    it("has one line a run, newest first, and says how to see more", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { stderr, stdout } = last(
        await world.perform(start(file, "who=a"), start(file, "who=b"), listRuns({ ...everyRun, limit: 1 }))
      )
      expect(stdout.trim().split("\n")).toHaveLength(2)
      expect(stderr).toBe("1 more: --offset 1\n")
    })

    it("as JSON is one object, with the total", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const { stdout } = last(await world.perform(start(file, "who=a"), listRuns({ ...everyRun, json: true })))
      expect(JSON.parse(stdout)).toMatchObject({ total: 1, runs: [{ status: "completed" }], warnings: [] })
    })
  })

  describe("registry", () => {
    it("adds, lists, chooses and forgets", async () => {
      await world.write("greeting.yaml", greeting)
      const name = "mine"
      const outcomes = await world.perform(
        listRegistry({ name: undefined, json: false }),
        addRegistry({ name, source: world.folder, type: undefined, default: true }),
        setDefaultRegistry({ name }),
        listRegistry({ name: undefined, json: true }),
        listRegistry({ name, json: true }),
        removeRegistry({ name }),
        listRegistry({ name, json: false })
      )
      expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 1])
      expect(outcomes[0]).toMatchObject({ stdout: "", stderr: expect.stringContaining("conductor registry add") })
      expect(JSON.parse(outcomes[3]?.stdout ?? "")).toMatchObject({
        registries: [{ name, type: "path", default: true }]
      })
      expect(JSON.parse(outcomes[4]?.stdout ?? "")).toMatchObject({ workflows: [{ key: "greeting" }], problems: [] })
    })

    it("does not take a mistyped folder for a repository", async () => {
      const add = addRegistry({ name: "mine", source: "no/folder", type: undefined, default: false })
      const { code, stderr } = last(await world.perform(add))
      expect(stderr).toContain("There is no folder 'no/folder'.")
      expect(code).toBe(1)
    })
  })

  describe("validate and show", () => {
    it("say what is wrong with its place, and end with 1", async () => {
      const file = await world.write("broken.yaml", greeting.replace("entry_point: greet", "entry_point: gret"))
      const { code, stderr, stdout } = last(await world.perform(validate({ workflow: file, json: false })))
      expect(stdout).toContain(`${file}:`)
      expect(stdout).toContain('did you mean "greet"')
      expect(stderr).toContain("1 error, 0 warnings")
      expect(code).toBe(1)
    })

    it("look into the files that a workflow calls", async () => {
      const calling = greeting.replace(
        / {4}type: set\n {4}value: .*\n/,
        "    type: workflow\n    workflow: ./gone.yaml\n"
      )
      const file = await world.write("calling.yaml", calling.replace("{{ greet.output }}", "done"))
      const { code, stdout } = last(await world.perform(validate({ workflow: file, json: false })))
      expect(stdout).toContain("gone.yaml")
      expect(code).toBe(1)
    })

    it("follow a sub-workflow into the registries", async () => {
      const calls = (name: string) =>
        `workflow: {name: calling, entry_point: a}\nagents: [{name: a, type: workflow, workflow: ${name}@mine}]\n`
      await world.write("greeting.yaml", greeting)
      const right = await world.write("right.yaml", calls("greeting"))
      const wrong = await world.write("wrong.yaml", calls("greetign"))
      const add = addRegistry({ name: "mine", source: world.folder, type: undefined, default: false })
      const [, valid, invalid] = await world.perform(
        add,
        validate({ workflow: right, json: false }),
        validate({ workflow: wrong, json: false })
      )
      expect(valid).toMatchObject({ code: 0, stdout: expect.stringContaining("0 errors, 0 warnings") })
      expect(invalid).toMatchObject({ code: 1, stdout: expect.stringContaining("Did you mean 'greeting'?") })
    })

    it("give the same facts as JSON", async () => {
      const file = await world.write("greeting.yaml", greeting)
      const [checked, told] = await world.perform(
        validate({ workflow: file, json: true }),
        show({ workflow: file, json: true })
      )
      expect(JSON.parse(checked?.stdout ?? "")).toEqual({ file, valid: true, diagnostics: [], unsupported: [] })
      expect(JSON.parse(told?.stdout ?? "")).toMatchObject({
        name: "greeting",
        entry_point: "greet",
        input_schema: { required: ["who"] },
        unsupported: []
      })
    })
  })

  it("what a workflow says reaches a terminal without its escape codes, and JSON with all of its characters", async () => {
    const hostile = "\u001b[2Jgone\u009b31m\u202e"
    const text = greeting.replace("name: greeting", `name: ${JSON.stringify(hostile)}`)
    const file = await world.write("hostile.yaml", text)
    const [person, program] = await world.perform(
      show({ workflow: file, json: false }),
      show({ workflow: file, json: true })
    )
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
    expect(person?.stdout).not.toMatch(hidden)
    expect(program?.stdout).not.toMatch(hidden)
    expect(JSON.parse(program?.stdout ?? "")).toMatchObject({ name: hostile })
  })
})
