/** What a launch promises, wherever the run lives. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { pinOf } from "../../src/domain/Pin.ts"
import { awaitRun } from "../../src/runs/AwaitRun.ts"
import { RunLauncher } from "../../src/runs/RunLauncher.ts"
import { RunStore } from "../../src/runs/RunStore.ts"
import { launch } from "../support/runs/Launches.ts"
import { runWorlds } from "../support/runs/RunWorlds.ts"
import { greeting, long } from "../support/runs/Workflows.ts"
import { requestFor, Workspace } from "../support/runs/Workspace.ts"

describe.each(runWorlds)("a launch $name", ({ layer }) => {
  it.live("answers once the run has started, and the run goes on to its end", () =>
    Effect.gen(function* () {
      const view = yield* launch(greeting, { who: "Ada" })
      expect(view.lastEvent?.seq).toBeGreaterThanOrEqual(1)
      expect(view.workflow.name).toBe("greeting")
      const end = yield* awaitRun(view.runId, "20 seconds")
      expect(end).toMatchObject({ status: "completed", output: { text: "Hello Ada" } })
    }).pipe(Effect.provide(layer))
  )

  it.live("runs the sub-workflows beside the file", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      yield* workspace.write("child.yaml", greeting)
      const view = yield* launch(`
workflow: {name: parent, entry_point: s}
agents: [{name: s, type: workflow, workflow: ./child.yaml, input_mapping: {who: Ada}}]
output: {said: "{{ s.output.text }}"}
`)
      const end = yield* awaitRun(view.runId, "20 seconds")
      expect(end).toMatchObject({ status: "completed", output: { said: "Hello Ada" }, progress: { stepsCompleted: 1 } })
    }).pipe(Effect.provide(layer))
  )

  it.live("of a workflow that cannot be loaded fails with the place and leaves no run", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const error = yield* Effect.flip(launch("workflow: { name: broken, entry_point: nowhere }\nagents: []\n"))
      expect(error).toMatchObject({ _tag: "LaunchError", reason: "workflow" })
      expect(error.message).toContain("example.yaml")
      expect(yield* store.ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("without a required input names it and leaves no run", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const error = yield* Effect.flip(launch(greeting))
      expect(error).toMatchObject({ reason: "inputs" })
      expect(error.message).toContain("'who' (string)")
      expect(yield* store.ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("with a number that JSON cannot write is refused, wherever it stands", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      const launcher = yield* RunLauncher
      const store = yield* RunStore
      const file = yield* workspace.write("example.yaml", greeting)
      for (const who of [Infinity, [1, { deep: Number.NaN }]]) {
        const error = yield* Effect.flip(launcher.launch(yield* requestFor(file, { who })))
        expect(error).toMatchObject({ reason: "inputs", message: expect.stringContaining("Input 'who'") })
      }
      expect(yield* store.ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("of a file that is not the pinned one is refused", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      const launcher = yield* RunLauncher
      const store = yield* RunStore
      const request = yield* requestFor(yield* workspace.write("example.yaml", long))
      const error = yield* Effect.flip(launcher.launch({ ...request, pin: pinOf(greeting) }))
      expect(error).toMatchObject({ reason: "drift" })
      expect(yield* store.ids).toEqual([])
    }).pipe(Effect.provide(layer))
  )

  it.live("runs commands in its directory, and their own directories begin there", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      yield* workspace.write("below/here.txt", "")
      const { runId } = yield* launch(`
workflow: {name: where, entry_point: a}
agents:
  - {name: a, type: script, command: pwd, routes: [{to: b}]}
  - {name: b, type: script, command: pwd, working_dir: below}
output: {a: "{{ a.output.stdout | trim }}", b: "{{ b.output.stdout | trim }}"}
`)
      const folder = realpathSync(workspace.folder)
      expect(yield* awaitRun(runId, "20 seconds")).toMatchObject({
        status: "completed",
        output: { a: folder, b: join(folder, "below") }
      })
    }).pipe(Effect.provide(layer))
  )

  it.live("into a directory that is not there is refused", () =>
    Effect.gen(function* () {
      const workspace = yield* Workspace
      const launcher = yield* RunLauncher
      const request = yield* requestFor(yield* workspace.write("example.yaml", greeting), { who: "Ada" })
      const error = yield* Effect.flip(launcher.launch({ ...request, launchDirectory: `${workspace.folder}/nowhere` }))
      expect(error).toMatchObject({ reason: "directory" })
    }).pipe(Effect.provide(layer))
  )
})
