/** Where references to registries and repositories lead, for validation and for runs. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import { join } from "node:path"
import { parseReference } from "../../../src/language/Reference.ts"
import { ReferencedWorkflows } from "../../../src/language/ReferencedWorkflows.ts"
import * as MemoryRegistrySource from "../../../src/registries/MemoryRegistrySource.ts"
import * as PathRegistrySource from "../../../src/registries/PathRegistrySource.ts"
import { layer as registeredWorkflows } from "../../../src/registries/RegisteredWorkflows.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"
import type { RegistriesFile } from "../../../src/registries/Registry.ts"
import { RegistrySource } from "../../../src/registries/RegistrySource.ts"
import { Repositories, RepositoryError, type RepositoriesShape } from "../../../src/registries/Repositories.ts"
import { workflowFolder } from "../../support/WorkflowFolder.ts"

const registries = (file: RegistriesFile) =>
  Layer.succeed(RegistriesConfig, {
    load: Effect.succeed(file),
    add: () => Effect.dieMessage("not asked to add"),
    remove: () => Effect.dieMessage("not asked to remove"),
    setDefault: () => Effect.dieMessage("not asked to set a default")
  })

const team: RegistriesFile = { default: "team", registries: { team: { type: "path", source: "/team" } } }
const far: RegistriesFile = { registries: { far: { type: "github", source: "acme/flows" } } }

interface World {
  readonly file?: RegistriesFile
  readonly source?: Layer.Layer<RegistrySource>
  readonly repositories?: Layer.Layer<Repositories>
}

const inMemory = MemoryRegistrySource.layer({ team: { workflows: { review: { text: "" } } } })

const world = ({ file = team, repositories = Repositories.layerOffline, source = inMemory }: World) =>
  registeredWorkflows.pipe(Layer.provide([registries(file), source, repositories]))

const find = (text: string, setting: World = {}) =>
  Effect.gen(function* () {
    const { find } = yield* ReferencedWorkflows
    const reference = Either.getOrThrow(parseReference(text, "no-file"))
    if (reference._tag === "File") return yield* Effect.dieMessage(`'${text}' is a file`)
    return yield* find(reference)
  }).pipe(Effect.provide(world(setting)))

const sibling = (path: string, directory: string, setting: World) =>
  Effect.flatMap(ReferencedWorkflows, ({ sibling }) => sibling(path, directory)).pipe(Effect.provide(world(setting)))

/** Repositories that all have the same content, and that tell what they were asked for. */
const repositoriesAt = (root: string, asked: Array<unknown> = []) => {
  const service: RepositoriesShape = {
    fetch: (reference) =>
      Effect.sync(() => {
        asked.push(reference)
        return { root, commit: "0".repeat(40) }
      }),
    rootOf: (path) => (path.startsWith(root) ? Option.some(root) : Option.none())
  }
  return Layer.succeed(Repositories, service)
}

const INDEX = "workflows: {review: {path: flows/review.yaml}, check: {path: flows/deep/check.yaml}}\n"
const FILES = { "index.yaml": INDEX, "flows/review.yaml": "workflow: {}\n", "flows/deep/check.yaml": "workflow: {}\n" }

describe("a reference of a sub-workflow step", () => {
  it.effect("leads to the file in the registry that it names, or in the default one", () =>
    Effect.gen(function* () {
      const answer = { _tag: "Found", file: "/memory/team/review.yaml" }
      expect(yield* find("review@team")).toEqual(answer)
      expect(yield* find("review")).toEqual(answer)
    })
  )

  it.effect("is refused when the registry or the workflow does not exist, with the nearest name", () =>
    Effect.gen(function* () {
      expect(yield* find("reviev@team")).toMatchObject({
        _tag: "Refused",
        message: expect.stringContaining("'review'")
      })
      expect(yield* find("review@tem")).toMatchObject({ _tag: "Refused", message: expect.stringContaining("'team'") })
      expect(yield* find("review", { file: { registries: {} } })).toMatchObject({
        _tag: "Refused",
        message: expect.stringContaining("conductor registry add")
      })
    })
  )

  it.effect("cannot choose a version of a folder", () =>
    Effect.gen(function* () {
      expect(yield* find("review@team#v1")).toMatchObject({
        _tag: "Refused",
        message: expect.stringContaining("Leave out '#v1'")
      })
    })
  )

  it.effect("is not checked where that would need the network", () =>
    Effect.gen(function* () {
      expect(yield* find("review@far", { file: far })).toMatchObject({ _tag: "NotChecked" })
      expect(yield* find("review@acme/flows")).toMatchObject({ _tag: "NotChecked" })
    })
  )

  it.scoped("leads into the content of a repository, by a registry or without one", () =>
    Effect.gen(function* () {
      const root = yield* workflowFolder(FILES)
      const asked: Array<unknown> = []
      const online = { file: far, source: PathRegistrySource.layer, repositories: repositoriesAt(root, asked) }
      const answer = { _tag: "Found", file: join(root, "flows/review.yaml") }
      expect(yield* find("review@far#v1", online)).toEqual(answer)
      expect(yield* find("review@acme/other", online)).toEqual(answer)
      expect(asked).toMatchObject([
        { owner: "acme", repository: "flows", ref: "v1" },
        { owner: "acme", repository: "other" }
      ])
      expect(yield* find("reviev@far", online)).toMatchObject({ message: expect.stringContaining("'review'") })
    })
  )

  it.effect("says why a repository cannot be used", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(Repositories, {
        rootOf: Option.none,
        fetch: () =>
          new RepositoryError({ repository: "acme/flows", problem: "unusable", reason: "it burns", remedy: "Wait." })
      })
      expect(yield* find("review@acme/flows", { repositories: broken })).toEqual({
        _tag: "Refused",
        message: "Repository 'acme/flows': it burns. Wait."
      })
    })
  )
})

describe("a file that is not beside the workflow that names it", () => {
  it.scoped("is looked for in the index of the registry that the workflow is part of", () =>
    Effect.gen(function* () {
      const root = yield* workflowFolder({ ...FILES, "flows/private.yaml": "workflow: {}\n" })
      const source = PathRegistrySource.layer
      const inFolder = { file: { registries: { own: { type: "path", source: root } } }, source } as const
      const inRepository = { file: far, source, repositories: repositoriesAt(root) }
      for (const setting of [inFolder, inRepository]) {
        const answer = yield* sibling("flows/review.yaml", join(root, "flows/deep"), setting)
        expect(answer).toEqual(Option.some(join(root, "flows/review.yaml")))
        expect(yield* sibling("flows/private.yaml", join(root, "flows"), setting)).toEqual(Option.none())
      }
      expect(yield* sibling("flows/review.yaml", "/elsewhere", inFolder)).toEqual(Option.none())
      expect(yield* sibling("flows/review.yaml", `${root}-other`, inFolder)).toEqual(Option.none())
    })
  )
})
