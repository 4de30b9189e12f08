import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { loadWorkflow } from "../../../src/language/Loader.ts"
import { ReferencedWorkflows, type FoundWorkflow } from "../../../src/language/ReferencedWorkflows.ts"
import { validateWithSubWorkflows } from "../../../src/language/validate/SubWorkflows.ts"
import { languagePlatform } from "../../support/LanguagePlatform.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const calling = (...references: ReadonlyArray<string>): string => {
  const steps = references.map((reference, index) => `  - {name: s${index}, type: workflow, workflow: ${reference}}\n`)
  return `workflow: {name: t, entry_point: s0}\nagents:\n${steps.join("")}`
}

const broken = "workflow: {name: t, entry_point: a}\nagents:\n  - {name: a, prompt: '{{ nobody.output }}'}\n"

/** What validation says about `w.yaml` in a folder of these files. */
const found = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* workflowFolder(files)
    return yield* Effect.flatMap(loadWorkflow(join(folder, "w.yaml")), validateWithSubWorkflows)
  }).pipe(Effect.scoped, Effect.provide(languagePlatform()))

const answering = (answer: FoundWorkflow) =>
  Effect.provideService(ReferencedWorkflows, {
    find: () => Effect.succeed(answer),
    sibling: () => Effect.succeedNone
  })

describe("validation of the files that a workflow calls", () => {
  it.effect("tells what is wrong with one at the step that calls it, with the place inside", () =>
    Effect.gen(function* () {
      const diagnostics = yield* found({ "w.yaml": calling("child.yaml"), "child.yaml": broken })
      expect(diagnostics).toMatchObject([
        { rule: "sub-workflow", severity: "error", path: "agents.0.workflow", line: 3 }
      ])
      expect(diagnostics[0]?.message).toContain("in child.yaml:3:15: agents.0.prompt: ")
    })
  )

  it.effect("looks at each file once, however many ways lead to it", () =>
    Effect.gen(function* () {
      const layers = Array.from({ length: 8 }, (_, index) => `l${index}.yaml`)
      const files = layers.map((name, index) => {
        const next = layers[index + 1]
        return [name, next === undefined ? broken : calling(next, next, next)] as const
      })
      const diagnostics = yield* found({ "w.yaml": calling("l0.yaml", "l0.yaml"), ...Object.fromEntries(files) })
      expect(diagnostics).toHaveLength(1)
    })
  )

  it.effect("ends after a hundred files and says so", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 103 }, (_, index) => `c${index}.yaml`)
      const fine = "workflow: {name: t, entry_point: a}\nagents: [{name: a}]\n"
      const files = Object.fromEntries(names.map((name) => [name, fine]))
      const diagnostics = yield* found({ "w.yaml": calling(...names), ...files })
      expect(diagnostics.map(({ path, severity }) => [severity, path])).toEqual([
        ["warning", "agents.100.workflow"],
        ["warning", "agents.101.workflow"],
        ["warning", "agents.102.workflow"]
      ])
    })
  )

  it.effect("does not take a folder for the workflow of the same name", () =>
    Effect.gen(function* () {
      const diagnostics = yield* found({ "w.yaml": calling("review"), "review/notes.txt": "" })
      expect(diagnostics).toMatchObject([{ severity: "warning", message: expect.stringContaining("is not checked") }])
    })
  )

  it.effect("asks for what is no file, and says what it could not check", () =>
    Effect.gen(function* () {
      const files = { "w.yaml": calling("review@team") }
      const notChecked = yield* found(files)
      expect(notChecked).toMatchObject([{ severity: "warning", path: "agents.0.workflow" }])
      const refused = yield* answering({ _tag: "Refused", message: "no such workflow" })(found(files))
      expect(refused).toMatchObject([{ severity: "error", message: expect.stringContaining("no such workflow") }])
      const gone = yield* answering({ _tag: "Found", file: "/nowhere/review.yaml" })(found(files))
      expect(gone).toMatchObject([{ severity: "error", message: expect.stringContaining("cannot be loaded") }])
    })
  )
})
