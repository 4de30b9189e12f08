/**
 * The registries and repositories that the steps of a run may name. Nothing of them is loaded or asked before a step names
 * one, since most workflows never do.
 */
import { Context, Effect, Layer } from "effect"
import { ReferencedWorkflows } from "../language/ReferencedWorkflows.ts"
import type { Environment } from "../platform/Environment.ts"
import type { Home } from "../platform/Home.ts"
import type { ProcessRunner } from "../platform/ProcessRunner.ts"

export const layer: Layer.Layer<never, never, Environment | Home | ProcessRunner> = Layer.scoped(
  ReferencedWorkflows,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const services = yield* Effect.context<Environment | Home | ProcessRunner>()
    const loaded = yield* Effect.promise(() => import("./RegistriesOnline.ts")).pipe(
      Effect.flatMap(({ layer }) => Layer.buildWithScope(layer, scope)),
      Effect.map((built) => Context.get(built, ReferencedWorkflows)),
      Effect.provide(services),
      Effect.cached
    )
    return {
      find: (reference) => Effect.flatMap(loaded, ({ find }) => find(reference)),
      sibling: (path, directory) => Effect.flatMap(loaded, ({ sibling }) => sibling(path, directory))
    }
  })
)
