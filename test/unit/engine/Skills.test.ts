/** What steps get of the skills and plugins that they name. */
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { ScriptedCalls } from "../../../src/agents/ScriptedProvider.ts"
import { Engine } from "../../../src/engine/Engine.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { layerMemory } from "../../../src/engine/MemoryEventSink.ts"
import { subWorkflows } from "../../../src/engine/SubWorkflows.ts"
import { loadWorkflow, loadWorkflowText } from "../../../src/language/Loader.ts"
import { compilePlan } from "../../../src/language/Plan.ts"
import { fetchSources } from "../../../src/language/plugins/FetchSources.ts"
import { PluginSources } from "../../../src/language/plugins/PluginSources.ts"
import { CONDUCTOR_SKILL } from "../../../src/language/skills/ConductorSkill.ts"
import { validateWorkflow } from "../../../src/language/validate/Validate.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"
import { dataOf, engineFor, recorded, surroundings } from "./RunText.ts"

const skill = (name: string, text: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${text}\n`

interface Asked {
  readonly runtime: string
  /** Keys of the one step. */
  readonly step?: string
  readonly provider?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Runs one step in a folder, and gives its prompt. */
const running = ({ files = {}, provider = "openai", runtime, step = "" }: Asked) =>
  Effect.gen(function* () {
    const text =
      `workflow: {name: t, entry_point: a, instructions: [be brief], runtime: {provider: ${provider}, ${runtime}}}\n` +
      `agents: [{name: a, prompt: task${step}}]\n`
    const folder = yield* workflowFolder({ ...files, "w.yaml": text })
    return yield* Effect.gen(function* () {
      const plan = compilePlan(yield* loadWorkflow(join(folder, "w.yaml")))
      const engine = yield* Engine
      yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {} })
      const { all } = yield* ScriptedCalls
      return { prompt: (yield* all)[0]?.request.prompt ?? "", events: yield* recorded }
    }).pipe(Effect.provide(engineFor({ variables: { HOME: join(folder, "home") } })))
  }).pipe(Effect.scoped)

const namesIn = (prompt: string): ReadonlyArray<string> =>
  Array.from(prompt.matchAll(/<skill name="(.*?)">/g), ([, name = ""]) => name)

const refused = (asked: Asked) => Effect.map(Effect.flip(running(asked)), ({ message }) => message)

describe("the skills of a step", () => {
  it.effect("stand between the instructions and the prompt, with their references", () =>
    Effect.gen(function* () {
      const files = { "s/one/SKILL.md": skill("one", "First."), "s/one/references/r.md": "Detail." }
      const { prompt } = yield* running({ runtime: "skills: [./s]", files })
      expect(prompt).toMatch(
        /<\/workspace_instructions>\n\n<skills>\n.*\n\n<skill name="one">\n---\nname: one\n[^]*\n---\nFirst\.\n\nDetail\.\n<\/skill>\n<\/skills>\n\ntask$/
      )
    })
  )

  it.effect("are those of the runtime, or none, or its own", () =>
    Effect.gen(function* () {
      const files = { "s/SKILL.md": skill("s", "S"), "t/SKILL.md": skill("t", "T") }
      const skillsOf = (step: string) =>
        Effect.map(running({ runtime: "skills: [./s]", step, files }), ({ prompt }) => namesIn(prompt))
      expect(yield* skillsOf("")).toEqual(["s"])
      expect(yield* skillsOf(", skills: []")).toEqual([])
      expect(yield* skillsOf(", skills: [./t, conductor]")).toEqual(["t", "conductor"])
    })
  )

  it.effect("come first when they are declared, then those of plugins, then those that are discovered", () =>
    Effect.gen(function* () {
      const files = {
        "one/SKILL.md": skill("one", "declared"),
        "p/.claude-plugin/plugin.json": '{"name": "p"}',
        "p/skills/one/SKILL.md": skill("one", "bundled"),
        "p/skills/two/SKILL.md": skill("two", "bundled"),
        ".github/skills/two/SKILL.md": skill("two", "project"),
        ".github/skills/three/SKILL.md": skill("three", "project"),
        ".github/skills/four/SKILL.md": skill("four", "project"),
        "home/.claude/skills/three/SKILL.md": skill("three", "personal"),
        "home/.claude/skills/five/SKILL.md": skill("five", "personal")
      }
      const discovery = "skill_discovery: {sources: [personal, project], exclude: [four]}"
      const runtime = `skills: [./one], plugins: [./p], ${discovery}`
      const { prompt } = yield* running({ provider: "copilot", runtime, files })
      expect(namesIn(prompt)).toEqual(["one", "two", "three", "five"])
      expect(prompt).toMatch(/declared[^]*bundled[^]*project[^]*personal/)
      expect(prompt.match(/bundled/g)).toHaveLength(1)
      const own = yield* running({ provider: "copilot", runtime, step: ", skills: [./one]", files })
      expect(namesIn(own.prompt)).toEqual(["one", "two"])
    })
  )

  it.effect("are told of when they are many, and refused when they are too many", () =>
    Effect.gen(function* () {
      const files = { "s/SKILL.md": skill("s", "x".repeat(1000)) }
      const { events } = yield* running({ runtime: "skills: [./s], skill_injection: {warn_bytes: 100}", files })
      expect(dataOf(events, "skill_injection_warning")).toMatchObject({
        bytes: 1038,
        warn_bytes: 100,
        approx_tokens: 260
      })
      const limits = "skill_injection: {warn_bytes: 100, max_bytes: 500}"
      expect(yield* refused({ runtime: `skills: [./s], ${limits}`, files })).toContain(
        "a: its skills put 1038 bytes into the prompt, more than skill_injection.max_bytes (500)"
      )
    })
  )

  it.effect("that cannot be used keep the run from starting", () =>
    Effect.gen(function* () {
      const files = { "s/SKILL.md": skill("s", ""), "t/SKILL.md": skill("s", "") }
      expect(yield* refused({ runtime: "skills: [./gone]" })).toContain("a: there is no skill folder ./gone")
      expect(yield* refused({ runtime: "skills: [./s, ./t]", files })).toContain('a: there are two skills "s"')
      expect(yield* refused({ runtime: "skills: [conductor]", step: ", provider: aca" })).toContain(
        "skills is not for provider 'aca'"
      )
    })
  )
})

/** Sub-workflows are files. */
const fromFiles = EngineLive.pipe(
  Layer.provideMerge(FileWorkflowResolver.layer),
  Layer.provideMerge(Layer.merge(layerMemory, surroundings()))
)

describe("a plugin", () => {
  const manifest = { "p/.claude-plugin/plugin.json": '{"name": "p"}', "p/skills/s/SKILL.md": skill("s", "S") }
  const agent = { "p/agents/editor.agent.md": skill("editor", "Edit.") }
  const servers = { "p/.mcp.json": '{"mcpServers": {"web": {"command": "x"}}}' }

  it.effect("gives its skills unless they are switched off", () =>
    Effect.gen(function* () {
      expect(namesIn((yield* running({ runtime: "plugins: [./p]", files: manifest })).prompt)).toEqual(["s"])
      const off = yield* running({
        provider: "copilot",
        runtime: "plugins: [{name: ./p, skills: false}]",
        files: manifest
      })
      expect(namesIn(off.prompt)).toEqual([])
    })
  )

  it.effect("is not run without a part that was asked for", () =>
    Effect.gen(function* () {
      const files = { ...manifest, ...agent, ...servers }
      const message = yield* refused({ runtime: "plugins: [./p]", files })
      expect(message).toContain("the provider openai has no subagents, and the plugin p brings some (p:editor)")
      const without = "plugins: [{name: ./p, agents: false, mcp: false}]"
      expect(namesIn((yield* running({ runtime: without, files })).prompt)).toEqual(["s"])
    })
  )

  it.effect("comes from a source of its workflow or of one that calls it, wherever that is", () =>
    Effect.gen(function* () {
      const call = (name: string, workflow: string, runtime: string) =>
        `workflow: {name: ${name}, entry_point: s, runtime: {provider: openai, ${runtime}}}\n` +
        `agents: [{name: s, type: workflow, workflow: ${workflow}}]\n`
      const folder = yield* workflowFolder({
        "w.yaml": call("w", "one/w.yaml", "plugin_sources: {far: ./market, near: ./gone}"),
        "one/w.yaml": call("one", "two/w.yaml", "plugin_sources: {near: ./market}"),
        "one/two/w.yaml":
          "workflow: {name: two, entry_point: a, runtime: {plugins: [p@far, q@near]}}\nagents: [{name: a, prompt: task}]\n",
        "market/p/.claude-plugin/plugin.json": '{"name": "p"}',
        "market/p/skills/s/SKILL.md": skill("s", "S"),
        "one/market/q/.claude-plugin/plugin.json": '{"name": "q"}',
        "one/market/q/skills/t/SKILL.md": skill("t", "T")
      })
      const prompt = yield* Effect.gen(function* () {
        const plan = compilePlan(yield* loadWorkflow(join(folder, "w.yaml")))
        const engine = yield* Engine
        yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {} })
        return (yield* (yield* ScriptedCalls).all)[0]?.request.prompt ?? ""
      }).pipe(Effect.provide(fromFiles))
      expect(namesIn(prompt)).toEqual(["s", "t"])
    }).pipe(Effect.scoped)
  )

  it.effect("is fetched for each workflow that means another by the same name", () =>
    Effect.gen(function* () {
      const call = (name: string, source: string, step: string) =>
        `workflow: {name: ${name}, entry_point: s, runtime: {plugin_sources: {m: ${source}}}}\n` +
        `agents: [{name: s, type: workflow, workflow: ${step}}]\n`
      const plugin = (place: string, name: string) => ({
        [`${place}/p/.claude-plugin/plugin.json`]: '{"name": "p"}',
        [`${place}/p/skills/s/SKILL.md`]: skill(name, name)
      })
      const folder = yield* workflowFolder({
        "w.yaml":
          "workflow: {name: w, entry_point: a, runtime: {provider: openai}}\nagents: [{name: a, type: workflow, workflow: a.yaml, routes: [{to: b}]}, {name: b, type: workflow, workflow: b.yaml}]\n",
        "a.yaml": call("a", "acme/one", "c.yaml"),
        "b.yaml": call("b", "acme/two", "c.yaml"),
        "c.yaml": "workflow: {name: c, entry_point: t, runtime: {plugins: [p@m]}}\nagents: [{name: t, prompt: task}]\n",
        ...plugin("acme/one", "first"),
        ...plugin("acme/two", "second")
      })
      const fetched: Array<string> = []
      const sources = Layer.succeed(PluginSources, {
        fetch: ({ name }) =>
          Effect.sync(() => {
            fetched.push(name)
            return { _tag: "Found", folder: join(folder, name) }
          })
      })
      const seen = yield* Effect.gen(function* () {
        const plan = compilePlan(yield* loadWorkflow(join(folder, "w.yaml")))
        const { workflows } = yield* subWorkflows(plan)
        const plans = workflows.flatMap(({ resolved }) => (Either.isRight(resolved) ? [resolved.right.plan] : []))
        const before = yield* fetchSources(plans)
        const engine = yield* Engine
        yield* engine.run({ runId: "test", plan, inputs: {}, metadata: {} })
        const calls = yield* (yield* ScriptedCalls).all
        return { before, names: calls.map(({ request }) => namesIn(request.prompt)) }
      }).pipe(Effect.provide(Layer.provideMerge(fromFiles, sources)))
      expect(seen.before.map(({ source }) => source)).toEqual(["acme/one", "acme/two"])
      expect(seen.names).toEqual([["first"], ["second"]])
      expect(new Set(fetched)).toEqual(new Set(["acme/one", "acme/two"]))
    }).pipe(Effect.scoped)
  )

  it.effect("that would have to be fetched is refused with what to do instead", () =>
    Effect.gen(function* () {
      const far = yield* refused({ runtime: "plugins: [x@far], plugin_sources: {far: acme/plugins}" })
      expect(far).toContain("acme/plugins is not fetched here; get it on this machine and name its folder with a path")
      expect(yield* refused({ runtime: "plugins: [unknown]" })).toContain("the plugin unknown is not installed in")
      expect(yield* refused({ provider: "claude", runtime: "plugins: [./p]", files: manifest })).toContain(
        "the provider claude takes no plugins"
      )
    })
  )
})

describe("the built-in skill", () => {
  it.effect("shows a workflow that is valid", () =>
    Effect.gen(function* () {
      const [, example = ""] = /```yaml\n([^]*?)```/.exec(CONDUCTOR_SKILL) ?? []
      const loaded = yield* loadWorkflowText(example)
      expect(validateWorkflow(loaded)).toEqual([])
    }).pipe(Effect.provide([NodeContext.layer, Environment.layerOf({})]))
  )
})
