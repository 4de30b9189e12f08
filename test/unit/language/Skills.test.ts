import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflow, loadWorkflowText } from "../../../src/language/Loader.ts"
import { validateAssets } from "../../../src/language/validate/AssetRules.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const skill = (name: string, text = "") => `---\nname: ${name}\ndescription: Does ${name}.\n---\n${text}`

interface Asked {
  readonly runtime: string
  /** Keys of the one step. */
  readonly step?: string
  readonly files?: Readonly<Record<string, string>>
}

const workflow = ({ runtime, step = "prompt: hi" }: Asked) =>
  `workflow: {name: t, entry_point: a, runtime: {${runtime}}}\nagents: [{name: a, ${step}}]\n`

/** `severity place: message` of everything that is wrong with the skills and plugins of a workflow in a folder. */
const found = (asked: Asked) =>
  Effect.gen(function* () {
    const folder = yield* workflowFolder({ ...asked.files, "w.yaml": workflow(asked) })
    const loaded = yield* loadWorkflow(join(folder, "w.yaml"))
    const diagnostics = yield* Effect.provide(validateAssets(loaded), languagePlatform({ HOME: join(folder, "home") }))
    return diagnostics.map(({ message, path, severity }) =>
      `${severity} ${path}: ${message}`.replaceAll(folder, "<folder>")
    )
  }).pipe(Effect.scoped, Effect.provide(languagePlatform()))

describe("skills", () => {
  it.effect("are built in, a folder, or a folder of folders", () =>
    Effect.gen(function* () {
      const files = {
        "one/SKILL.md": skill("one"),
        "many/two/SKILL.md": skill("two"),
        "many/three/SKILL.md": skill("three"),
        "home/mine/SKILL.md": skill("mine")
      }
      expect(yield* found({ runtime: "skills: [conductor, ./one, ./many, ~/mine]", files })).toEqual([])
    })
  )

  it.effect("that do not exist are errors with the place and the remedy", () =>
    Effect.gen(function* () {
      const files = { "empty/notes.md": "" }
      const step = "prompt: hi, skills: [./gone, ./empty]"
      expect(yield* found({ runtime: "skills: [conducter]", step, files })).toEqual([
        'error workflow.runtime.skills.0: there is no skill "conducter"',
        "error agents.0.skills.0: there is no skill folder ./gone (looked for <folder>/gone)",
        "error agents.0.skills.1: ./empty holds no skill: neither it nor a folder in it has a SKILL.md"
      ])
    })
  )

  it.effect("need a head that names and describes them", () =>
    Effect.gen(function* () {
      const files = {
        "s/a/SKILL.md": "# No head\n",
        "s/b/SKILL.md": "---\nname: b\n---\n",
        "s/c/SKILL.md": "---\nname: [\n---\n",
        "s/d/SKILL.md": skill("d")
      }
      const form = "begin the file with a head: ---, name: …, description: …, ---"
      expect(yield* found({ runtime: "skills: [./s]", files })).toEqual([
        `error workflow.runtime.skills.0: <folder>/s/a/SKILL.md: it has no head; ${form}`,
        `error workflow.runtime.skills.0: <folder>/s/b/SKILL.md: its head has no "description"; ${form}`,
        expect.stringContaining("<folder>/s/c/SKILL.md: its head cannot be read: YAML syntax error")
      ])
    })
  )

  it.effect("that are put into prompts are weighed with their references, others are not", () =>
    Effect.gen(function* () {
      const files = {
        "s/SKILL.md": skill("s"),
        "s/references/r.md": "x".repeat(200),
        "s/references/r.bin": "x".repeat(999)
      }
      const weighed = (provider: string, limits: string) =>
        found({ runtime: `provider: ${provider}, skills: [./s], skill_injection: {${limits}}`, files })
      expect(yield* weighed("claude", "warn_bytes: 100, max_bytes: 150")).toEqual([
        "error workflow.runtime.skills: these skills put 237 bytes into every prompt for the provider claude, more than max_bytes (150)"
      ])
      expect(yield* weighed("claude", "warn_bytes: 100, max_bytes: null")).toEqual([
        "warning workflow.runtime.skills: these skills put 237 bytes into every prompt for the provider claude, more than warn_bytes (100)"
      ])
      expect(yield* weighed("claude", "warn_bytes: 237")).toEqual([])
      expect(yield* weighed("copilot", "warn_bytes: 100, max_bytes: 150")).toEqual([])
    })
  )

  it.effect("for a provider that takes plugins only have to be in one", () =>
    Effect.gen(function* () {
      const files = {
        "bare/SKILL.md": skill("bare"),
        "p/.claude-plugin/plugin.json": '{"name": "p"}',
        "p/skills/kept/SKILL.md": skill("kept")
      }
      const runtime = "provider: claude-agent-sdk, skills: [./bare, ./p/skills/kept]"
      expect(yield* found({ runtime, files })).toEqual([
        expect.stringContaining(
          "error workflow.runtime.skills.0: the provider claude-agent-sdk takes skills from plugins"
        )
      ])
    })
  )

  it.effect("that are to be discovered are looked for, and only where a provider can use them", () =>
    Effect.gen(function* () {
      const files = { ".claude/skills/s/SKILL.md": skill("s"), ".github/skills/t/SKILL.md": "no head" }
      const discovery = "skill_discovery: {sources: [personal, project]}"
      expect(yield* found({ runtime: discovery, files })).toEqual([
        expect.stringContaining(
          'warning workflow.runtime.skill_discovery.sources.0: the source "personal" finds no skills'
        ),
        expect.stringContaining("warning workflow.runtime.skill_discovery.sources.1: a discovered skill is skipped")
      ])
      const eager = yield* found({ runtime: `provider: openai, ${discovery}`, files })
      expect(eager[0]).toContain("error workflow.runtime.skill_discovery: the provider openai cannot use discovered")
      const optedOut = yield* found({ runtime: `provider: openai, ${discovery}`, step: "skills: []", files })
      expect(optedOut.filter((line) => line.startsWith("error"))).toEqual([])
    })
  )

  it.effect("of a workflow that is in no file cannot be checked", () =>
    Effect.gen(function* () {
      const loaded = yield* loadWorkflowText(workflow({ runtime: "skills: [./s], plugins: [./p]" }))
      expect(yield* validateAssets(loaded)).toMatchObject([
        { severity: "warning", path: "workflow.runtime.skills.0" },
        { severity: "warning", path: "workflow.runtime.plugins.0" }
      ])
    }).pipe(Effect.provide(languagePlatform()))
  )
})

describe("plugins", () => {
  const manifest = '{"name": "p", "version": "1"}'

  it.effect("are folders with a manifest, given by path, source or name", () =>
    Effect.gen(function* () {
      const files = {
        "p/.github/plugin/plugin.json": manifest,
        "p/skills/s/SKILL.md": skill("s"),
        "market/q/.claude-plugin/plugin.json": manifest,
        "home/.claude/plugins/official/r/.claude-plugin/plugin.json": manifest
      }
      const runtime = "plugins: [./p, q@local, r], plugin_sources: {local: ./market}"
      expect(yield* found({ runtime, files })).toEqual([])
    })
  )

  it.effect("that are missing or broken are errors", () =>
    Effect.gen(function* () {
      const files = {
        "empty/readme.md": "",
        "bad/.claude-plugin/plugin.json": "{",
        "p/.claude-plugin/plugin.json": manifest,
        "p/skills/s/SKILL.md": "no head"
      }
      const runtime = "plugins: [./gone, ./empty, ./bad, ./p, unknown, x@m], plugin_sources: {m: ./nowhere}"
      expect(yield* found({ runtime, files })).toEqual([
        "error workflow.runtime.plugins.0: <folder>/gone: there is no such folder",
        expect.stringContaining("error workflow.runtime.plugins.1: <folder>/empty: it is no plugin"),
        expect.stringContaining("error workflow.runtime.plugins.2: <folder>/bad/.claude-plugin/plugin.json: expected"),
        expect.stringContaining("error workflow.runtime.plugins.3: <folder>/p/skills/s/SKILL.md: it has no head"),
        expect.stringContaining(
          "error workflow.runtime.plugins.4: the plugin unknown is not installed in <folder>/home/"
        ),
        "error workflow.runtime.plugin_sources.m: there is no folder <folder>/nowhere"
      ])
    })
  )

  it.effect("must not bring an MCP server of a name that is taken", () =>
    Effect.gen(function* () {
      const servers = '{"mcpServers": {"web": {"command": "x"}}}'
      const files = {
        "p/.claude-plugin/plugin.json": manifest,
        "p/.mcp.json": servers,
        "q/.claude-plugin/plugin.json": '{"name": "q"}',
        "q/.mcp.json": servers
      }
      expect(yield* found({ runtime: "plugins: [./p, ./q]", files })).toEqual([
        'error workflow.runtime.plugins.1: the MCP server "web" of the plugin q is also that of p'
      ])
      expect(yield* found({ runtime: "plugins: [./p, {name: ./q, mcp: false}]", files })).toEqual([])
      expect(yield* found({ runtime: "plugins: [./p], mcp_servers: {web: {command: y}}", files })).toHaveLength(1)
    })
  )

  it.effect(
    "are only doubtful for parts that are never loaded, sources that nobody uses, and what would be fetched",
    () =>
      Effect.gen(function* () {
        const files = { "p/.claude-plugin/plugin.json": manifest, "p/hooks/h.json": "{}", "p/commands/c.md": "" }
        const runtime = "plugins: [./p, x@far], plugin_sources: {far: acme/plugins, idle: ./p}"
        expect(yield* found({ runtime, files })).toEqual([
          "warning workflow.runtime.plugins.0: the hooks and commands of the plugin p are not loaded",
          "warning workflow.runtime.plugins.1: x@far is not checked: acme/plugins is not fetched here",
          'warning workflow.runtime.plugin_sources.idle: no plugin is taken from the source "idle"'
        ])
      })
  )

  it.effect("are whole for claude-agent-sdk", () =>
    Effect.gen(function* () {
      const files = { "p/.claude-plugin/plugin.json": manifest }
      const runtime = "provider: claude-agent-sdk, plugins: [{name: ./p, agents: false}]"
      expect(yield* found({ runtime, files })).toEqual([
        "error workflow.runtime.plugins.0: claude-agent-sdk cannot load the skills of ./p without its agents"
      ])
    })
  )
})
