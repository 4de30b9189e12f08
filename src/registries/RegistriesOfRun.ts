/**
 * The registries and repositories that the steps of a run may name, for workflows and for plugins. Nothing of them is loaded
 * or asked before a step names one, since most workflows never do.
 */
import { Context, Effect, Layer } from "effect"
import { PluginSources, type PluginSourcesShape } from "../language/plugins/PluginSources.ts"
import { ReferencedWorkflows, type ReferencedWorkflowsShape } from "../language/ReferencedWorkflows.ts"
import type { Environment } from "../platform/Environment.ts"
import type { Home } from "../platform/Home.ts"
import type { ProcessRunner } from "../platform/ProcessRunner.ts"

const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const services = yield* Effect.context<Environment | Home | ProcessRunner>()
  const online = yield* Effect.promise(() => import("./RegistriesOnline.ts")).pipe(
    Effect.flatMap(({ layer }) => Layer.buildWithScope(layer, scope)),
    Effect.provide(services),
    Effect.cached
  )
  const workflows = Effect.map(online, (built) => Context.get(built, ReferencedWorkflows))
  const plugins = Effect.map(online, (built) => Context.get(built, PluginSources))
  return Context.make(ReferencedWorkflows, {
    find: (reference) => Effect.flatMap(workflows, ({ find }) => find(reference)),
    sibling: (path, directory) => Effect.flatMap(workflows, ({ sibling }) => sibling(path, directory))
  } satisfies ReferencedWorkflowsShape).pipe(
    Context.add(PluginSources, {
      fetch: (source) => Effect.flatMap(plugins, ({ fetch }) => fetch(source))
    } satisfies PluginSourcesShape)
  )
})

export const layer: Layer.Layer<never, never, Environment | Home | ProcessRunner> = Layer.scopedContext(make)
