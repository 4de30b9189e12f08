/** What is read before a run starts. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pinOf } from "../../../src/domain/Pin.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { prepareRun } from "../../../src/runs/PrepareRun.ts"
import { specOf } from "../../support/runs/Specs.ts"

const PARENT = `
workflow: {name: parent, entry_point: s}
agents:
  - {name: s, type: workflow, workflow: sub/child.yaml}
  - {name: lost, type: workflow, workflow: ./nowhere.yaml}
`
const CHILD = `
workflow: {name: child, entry_point: a}
agents: [{name: a, type: set, value: !file a.txt}, {name: up, type: workflow, workflow: ../parent.yaml}]
`

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "conductor-prepare-")))
    mkdirSync(join(directory, "sub"))
    writeFileSync(join(directory, "parent.yaml"), PARENT)
    writeFileSync(join(directory, "sub", "child.yaml"), CHILD)
    writeFileSync(join(directory, "sub", "a.txt"), "a")
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const world = Layer.provideMerge(FileWorkflowResolver.layer, Layer.merge(NodeContext.layer, Environment.layerOf({})))

describe("a prepared run", () => {
  it.scoped("holds what its sub-workflows are made of, each file once, and not what is missing", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const file = join(directory, "parent.yaml")
      const workflow = { name: "parent", registry: "file", key: "parent", pin: pinOf(PARENT), file }
      const { included } = yield* prepareRun(specOf("a", { workflow, inputs: "{}" }), { system: {} })
      expect(included.map(({ path }) => path)).toEqual([
        join(directory, "sub", "child.yaml"),
        join(directory, "sub", "a.txt")
      ])
    }).pipe(Effect.provide(world))
  )
})
