/** What is read before a run starts. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { realpathSync } from "node:fs"
import { join, relative } from "node:path"
import { pinOf } from "../../../src/domain/Pin.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { ReferencedWorkflows } from "../../../src/language/ReferencedWorkflows.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { prepareRun } from "../../../src/runs/PrepareRun.ts"
import { toldPins } from "../../../src/runs/WorkflowPins.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"
import { event, specOf, startedData } from "../../support/runs/Specs.ts"

const PARENT = `
workflow: {name: parent, entry_point: s}
agents:
  - {name: s, type: workflow, workflow: sub/child.yaml}
  - {name: r, type: workflow, workflow: review@team}
  - {name: lost, type: workflow, workflow: ./nowhere.yaml}
`
const CHILD = `
workflow: {name: child, entry_point: a}
agents: [{name: a, type: set, value: !file a.txt}, {name: up, type: workflow, workflow: ../parent.yaml}]
`
const REVIEW = `
workflow: {name: review, entry_point: a}
agents:
  - {name: a, prompt: !file prompts/ask.md, system_prompt: !file prompts/system.md}
  - {name: g, type: human_gate, prompt: !file prompts/gate.md, options: [{label: y, value: y, route: $end}]}
for_each:
  - {name: f, type: for_each, source: workflow.input.l, as: i, agent: {name: x, prompt: !file prompts/each.md}}
`

const FILES = {
  "parent.yaml": PARENT,
  "sub/child.yaml": CHILD,
  "sub/a.txt": "a",
  "registry/review.yaml": REVIEW,
  "registry/prompts/ask.md": "{% extends 'base.md' %}{% block b %}{% include 'gone.md' ignore missing %}{% endblock %}",
  "registry/prompts/base.md": "{% include 'parts/deep.md' %}{% block b %}{% endblock %}",
  "registry/prompts/parts/deep.md": "{% include '${LANGUAGE}.md' %}",
  "registry/prompts/en.md": "english {% include '../review.yaml' %}",
  "registry/prompts/system.md": "{% import 'macros.md' as m %}{{ m }}",
  "registry/prompts/macros.md": "macros",
  "registry/prompts/gate.md": "{% include 'en.md' %}",
  "registry/prompts/each.md": "{% include i ~ '.md' %}",
  "registry/prompts/unnamed.md": ""
}

const platform = Layer.merge(NodeContext.layer, Environment.layerOf({ LANGUAGE: "en" }))

const prepared = Effect.gen(function* () {
  const directory = realpathSync(yield* workflowFolder(FILES))
  const file = join(directory, "parent.yaml")
  const workflow = { name: "parent", registry: "file", key: "parent", pin: pinOf(PARENT), file }
  const run = yield* prepareRun(specOf("a", { workflow, inputs: "{}" }), { system: {} }).pipe(
    Effect.provide(FileWorkflowResolver.layer),
    Effect.provideService(ReferencedWorkflows, {
      find: () => Effect.succeed({ _tag: "Found", file: join(directory, "registry", "review.yaml") }),
      sibling: () => Effect.succeedNone
    })
  )
  return { ...run, directory }
}).pipe(Effect.provide(platform))

describe("a prepared run", () => {
  it.scoped("holds its whole closure, each file once, and not what is missing", () =>
    Effect.gen(function* () {
      const { directory, included } = yield* prepared
      expect(included.map(({ path }) => relative(directory, path))).toEqual([
        "sub/child.yaml",
        "sub/a.txt",
        "registry/review.yaml",
        "registry/prompts/ask.md",
        "registry/prompts/system.md",
        "registry/prompts/gate.md",
        "registry/prompts/each.md",
        "registry/prompts/base.md",
        "registry/prompts/parts/deep.md",
        "registry/prompts/en.md",
        "registry/prompts/macros.md"
      ])
    })
  )

  it.scoped("tells where every reference led, so that it leads there again", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* prepared
      const start = event(1, "workflow_started", { ...startedData, system: request.system ?? {} })
      expect(toldPins(start)).toMatchObject({
        value: {
          references: [
            { reference: "sub/child.yaml", directory, file: join(directory, "sub/child.yaml") },
            { reference: "review@team", directory, file: join(directory, "registry/review.yaml") },
            { reference: "../parent.yaml", directory: join(directory, "sub"), file: join(directory, "parent.yaml") }
          ]
        }
      })
    })
  )

  it.scoped("has the files of its steps, and instructions around those of the workflow", () =>
    Effect.gen(function* () {
      const text =
        "workflow: {name: w, entry_point: a, instructions: [own], runtime: {skills: [./sub]}}\nagents: [{name: a}]\n"
      const directory = realpathSync(
        yield* workflowFolder({
          "w.yaml": text,
          "sub/SKILL.md": "---\nname: s\ndescription: d\n---\n",
          "AGENTS.md": "first",
          "rules.md": "last"
        })
      )
      const at = (name: string) => join(directory, name)
      const file = at("w.yaml")
      const workflow = { name: "w", registry: "file", key: "w", pin: pinOf(text), file }
      const instructions = { workspace: [at("AGENTS.md")], given: [at("rules.md")] }
      const spec = specOf("a", { workflow, inputs: "{}", launch_directory: directory, instructions })
      const { included, request } = yield* prepareRun(spec, { system: {} })
      expect(included.map(({ path }) => path)).toEqual([at("sub/SKILL.md"), at("AGENTS.md"), at("rules.md")])
      expect(request.plan.instructions).toEqual([
        "# Instructions from: AGENTS.md\n\nfirst",
        "own",
        "# Instructions from: rules.md\n\nlast"
      ])
    }).pipe(
      Effect.provide(
        Layer.provideMerge(FileWorkflowResolver.layer, Layer.merge(NodeContext.layer, Environment.layerOf({})))
      )
    )
  )
})
