/** What everything that finds sub-workflows promises, over files and over values. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FileWorkflowResolver from "../../src/engine/FileWorkflowResolver.ts"
import * as MemoryWorkflowResolver from "../../src/engine/MemoryWorkflowResolver.ts"
import { WorkflowResolver } from "../../src/engine/WorkflowResolver.ts"
import { loadWorkflowText } from "../../src/language/Loader.ts"
import { compilePlan } from "../../src/language/Plan.ts"
import { Environment } from "../../src/platform/Environment.ts"

const TEXT = "workflow: {name: child, entry_point: a}\nagents: [{name: a, type: set, value: !file a.txt}]\n"

const platform = Layer.merge(NodeContext.layer, Environment.layerOf({}))
const files = Layer.provide(FileWorkflowResolver.layer, platform)

const memory = loadWorkflowText(TEXT.replace("!file a.txt", "a")).pipe(
  Effect.map((loaded) => MemoryWorkflowResolver.layer({ "child.yaml": compilePlan(loaded) })),
  Layer.unwrapEffect,
  Layer.provide(platform)
)

const resolve = (reference: string, directory: string | undefined) =>
  Effect.flatMap(WorkflowResolver, (resolver) => resolver.resolve(reference, directory))

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "conductor-resolver-")))
    writeFileSync(join(directory, "child.yaml"), TEXT)
    writeFileSync(join(directory, "a.txt"), "a")
    return directory
  }),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

describe.each([
  { name: "files", layer: files },
  { name: "memory", layer: memory }
])("a resolver over $name", ({ layer }) => {
  it.scoped("finds what a step names", () =>
    Effect.gen(function* () {
      const { plan } = yield* resolve("child.yaml", yield* folder)
      expect(plan.name).toBe("child")
    }).pipe(Effect.provide(layer))
  )

  it.scoped("says that there is nothing where there is nothing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolve("./other.yaml", yield* folder))
      expect(error).toMatchObject({ reason: "missing", reference: "./other.yaml" })
    }).pipe(Effect.provide(layer))
  )
})

describe("a resolver over files", () => {
  it.scoped("names every file that the workflow was read from, its own first", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const { files } = yield* resolve("./child.yaml", directory)
      expect(files).toEqual([join(directory, "child.yaml"), join(directory, "a.txt")])
    }).pipe(Effect.provide(files))
  )

  it.scoped("reads a file once, however often it changes", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* resolve("child.yaml", directory)
      writeFileSync(join(directory, "child.yaml"), "workflow: [")
      expect((yield* resolve("child.yaml", directory)).plan.name).toBe("child")
    }).pipe(Effect.provide(files))
  )

  it.scoped("tells a file that cannot be used from one that is missing", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      writeFileSync(join(directory, "broken.yaml"), "workflow: {name: c}\nagents: []\n")
      const error = yield* Effect.flip(resolve("broken.yaml", directory))
      expect(error.reason).toBe("unusable")
      expect(error.message).toContain("entry_point")
    }).pipe(Effect.provide(files))
  )

  it.scoped("knows no registries, and says what to write instead", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolve("review@team#v1", yield* folder))
      expect(error.reason).toBe("unsupported")
      expect(error.message).toContain("path of a workflow file")
    }).pipe(Effect.provide(files))
  )
})
