/** What everything that finds sub-workflows promises, wherever the workflows are kept. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as FileWorkflowResolver from "../../src/engine/FileWorkflowResolver.ts"
import * as MemoryWorkflowResolver from "../../src/engine/MemoryWorkflowResolver.ts"
import { WorkflowResolver } from "../../src/engine/WorkflowResolver.ts"
import { loadWorkflowText } from "../../src/language/Loader.ts"
import { compilePlan } from "../../src/language/Plan.ts"
import { Environment } from "../../src/platform/Environment.ts"
import { Home } from "../../src/platform/Home.ts"
import * as PathRegistrySource from "../../src/registries/PathRegistrySource.ts"
import * as RegisteredWorkflows from "../../src/registries/RegisteredWorkflows.ts"
import { RegistriesConfig } from "../../src/registries/RegistriesConfig.ts"
import { Repositories } from "../../src/registries/Repositories.ts"

const textOf = (name: string): string =>
  `workflow: {name: ${name}, entry_point: a}\nagents: [{name: a, type: set, value: !file a.txt}]\n`

/** A folder of the test: `caller` for the workflow that refers, `registry`, `repository` and `home`. */
class Folder extends Context.Tag("test/Folder")<Folder, string>() {}

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const folder = Layer.scoped(
  Folder,
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "conductor-resolver-")))
      for (const place of ["caller", "registry", "repository"]) {
        put(root, `${place}/child.yaml`, textOf(place))
        put(root, `${place}/a.txt`, place)
      }
      put(
        root,
        "home/registries.toml",
        `default = "team"\n[registries.team]\ntype = "path"\nsource = "${root}/registry"\n`
      )
      return root
    }),
    (root) => Effect.sync(() => rmSync(root, { recursive: true }))
  )
)

const repositories = Layer.effect(
  Repositories,
  Effect.map(Folder, (root) => ({
    rootOf: Option.none,
    fetch: () => Effect.succeed({ root: join(root, "repository"), commit: "0".repeat(40) })
  }))
)

const home = Layer.unwrapEffect(Effect.map(Folder, (root) => Home.layerAt(join(root, "home"))))

const registered = RegisteredWorkflows.layer.pipe(
  Layer.provide([Layer.provide(RegistriesConfig.layer, home), PathRegistrySource.layer, repositories])
)

const platform = Layer.merge(NodeContext.layer, Environment.layerOf({}))

const files = FileWorkflowResolver.layer.pipe(
  Layer.provide(registered),
  Layer.provideMerge(platform),
  Layer.provideMerge(folder)
)

const withoutRegistries = FileWorkflowResolver.layer.pipe(Layer.provideMerge(platform), Layer.provideMerge(folder))

const memory = loadWorkflowText(textOf("values").replace("!file a.txt", "a")).pipe(
  Effect.map((loaded) => MemoryWorkflowResolver.layer({ "child.yaml": compilePlan(loaded) })),
  Layer.unwrapEffect,
  Layer.provide(platform),
  Layer.provideMerge(folder)
)

/** As a workflow in the folder `caller` refers. */
const resolve = (reference: string) =>
  Effect.gen(function* () {
    const resolver = yield* WorkflowResolver
    return yield* resolver.resolve(reference, join(yield* Folder, "caller"))
  })

describe.each([
  { name: "a file", layer: files, reference: "child.yaml", found: "caller", lost: "./other.yaml" },
  { name: "the default registry", layer: files, reference: "child", found: "registry", lost: "other" },
  { name: "a registry", layer: files, reference: "child@team", found: "registry", lost: "other@team" },
  {
    name: "a repository",
    layer: files,
    reference: "child@acme/flows#v1",
    found: "repository",
    lost: "other@acme/flows"
  },
  { name: "a value", layer: memory, reference: "child.yaml", found: "values", lost: "other.yaml" }
])("a resolver, for $name,", ({ found, layer, lost, reference }) => {
  it.effect("finds what a step names", () =>
    Effect.gen(function* () {
      expect((yield* resolve(reference)).plan.name).toBe(found)
    }).pipe(Effect.provide(layer))
  )

  it.effect("says that there is nothing where there is nothing", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(resolve(lost))).toMatchObject({ reason: "missing", reference: lost })
    }).pipe(Effect.provide(layer))
  )

  it.effect("finds the same again, whatever has become of the place", () =>
    Effect.gen(function* () {
      const root = yield* Folder
      const before = yield* resolve(reference)
      for (const place of ["caller", "registry", "repository"]) {
        writeFileSync(join(root, place, "child.yaml"), "workflow: [")
        rmSync(join(root, place, "a.txt"))
      }
      rmSync(join(root, "home"), { recursive: true })
      expect(yield* resolve(reference)).toEqual(before)
    }).pipe(Effect.provide(layer))
  )
})

describe("a resolver over files", () => {
  it.effect("names every file that the workflow was read from, its own first", () =>
    Effect.gen(function* () {
      const root = yield* Folder
      const read = Effect.map(resolve("child@team"), ({ files }) => files)
      expect(yield* read).toEqual([join(root, "registry", "child.yaml"), join(root, "registry", "a.txt")])
    }).pipe(Effect.provide(files))
  )

  it.effect("prefers a file beside the workflow to a registry's workflow of the same name", () =>
    Effect.gen(function* () {
      put(yield* Folder, "caller/child", textOf("beside").replace("!file a.txt", "a"))
      expect((yield* resolve("child")).plan.name).toBe("beside")
    }).pipe(Effect.provide(files))
  )

  it.effect("tells a file that cannot be used from one that is missing", () =>
    Effect.gen(function* () {
      put(yield* Folder, "caller/broken.yaml", "workflow: {name: c}\nagents: []\n")
      const error = yield* Effect.flip(resolve("broken.yaml"))
      expect(error.reason).toBe("unusable")
      expect(error.message).toContain("entry_point")
    }).pipe(Effect.provide(files))
  )

  it.effect("finds a file that was written after it was missed", () =>
    Effect.gen(function* () {
      yield* Effect.flip(resolve("late.yaml"))
      put(yield* Folder, "caller/late.yaml", textOf("late"))
      expect((yield* resolve("late.yaml")).plan.name).toBe("late")
    }).pipe(Effect.provide(files))
  )

  it.effect("asks nobody where a reference led before", () =>
    Effect.gen(function* () {
      const root = yield* Folder
      const file = join(root, "repository", "child.yaml")
      const known = { reference: "child.yaml", directory: join(root, "caller"), file }
      const resolver = yield* FileWorkflowResolver.make([known])
      expect((yield* resolver.resolve(known.reference, known.directory)).plan.name).toBe("repository")
    }).pipe(Effect.provide(files))
  )

  it.effect("says what to write instead where there are no registries", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(resolve("review@team"))
      expect(error.reason).toBe("unsupported")
      expect(error.message).toContain("path of a workflow file")
    }).pipe(Effect.provide(withoutRegistries))
  )
})
