import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ReferencedWorkflows } from "../../../src/language/validate/ReferencedWorkflows.ts"
import * as MemoryRegistrySource from "../../../src/registries/MemoryRegistrySource.ts"
import { layer as registeredWorkflows } from "../../../src/registries/RegisteredWorkflows.ts"
import { RegistriesConfig } from "../../../src/registries/RegistriesConfig.ts"
import type { RegistriesFile } from "../../../src/registries/Registry.ts"
import { RegistrySource } from "../../../src/registries/RegistrySource.ts"
import * as PathRegistrySource from "../../../src/registries/PathRegistrySource.ts"

const registries = (file: RegistriesFile) =>
  Layer.succeed(RegistriesConfig, {
    load: Effect.succeed(file),
    add: () => Effect.dieMessage("not asked to add"),
    remove: () => Effect.dieMessage("not asked to remove"),
    setDefault: () => Effect.dieMessage("not asked to set a default")
  })

const team: RegistriesFile = { default: "team", registries: { team: { type: "path", source: "/team" } } }

const find = (
  reference: string,
  file: RegistriesFile = team,
  source: Layer.Layer<RegistrySource> = MemoryRegistrySource.layer({ team: { workflows: { review: { text: "" } } } })
) =>
  Effect.flatMap(ReferencedWorkflows, ({ find }) => find(reference)).pipe(
    Effect.provide(registeredWorkflows.pipe(Layer.provide(Layer.merge(registries(file), source))))
  )

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
      expect(yield* find("review", { registries: {} })).toMatchObject({ _tag: "Refused" })
      expect(yield* find("a@b@c")).toMatchObject({ _tag: "Refused" })
    })
  )

  it.effect("is not checked where that would need the network", () =>
    Effect.gen(function* () {
      const far: RegistriesFile = { registries: { far: { type: "github", source: "acme/flows" } } }
      expect(yield* find("review@far", far, PathRegistrySource.layer)).toMatchObject({ _tag: "NotChecked" })
      expect(yield* find("review@acme/flows")).toMatchObject({ _tag: "NotChecked" })
      expect(yield* find("review@team#v1")).toMatchObject({ _tag: "NotChecked" })
    })
  )
})
