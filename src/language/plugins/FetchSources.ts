/** Fetches what the steps of plans take their plugins from, all at once and before anything runs (workflow language §7.7). */
import { Effect, Either } from "effect"
import type { ResolvedSource } from "../../domain/ResolvedSource.ts"
import { agentSteps } from "../AgentSteps.ts"
import type { Plan } from "../Plan.ts"
import { declaredSource, marketplaceOf } from "./LocatePlugin.ts"
import { parsePluginSource, type RemoteSource } from "./PluginSource.ts"
import { PluginSources } from "./PluginSources.ts"

/** What no step takes anything from is not fetched. */
const remoteSources = (plan: Plan): ReadonlyArray<RemoteSource> =>
  agentSteps(plan)
    .flatMap(({ plugins = plan.runtime.plugins }) => plugins)
    .flatMap(({ name }) => declaredSource(plan.runtime.plugin_sources, marketplaceOf(name))?.source ?? [])
    .flatMap((text) => Either.match(parsePluginSource(text), { onLeft: () => [], onRight: (source) => [source] }))
    .filter((source) => source._tag !== "Folder")

/** Each source once. What cannot be fetched is not in it: the start of the run tells of that. */
export const fetchSources = Effect.fn("FetchSources.fetch")(function* (plans: ReadonlyArray<Plan>) {
  const { fetch } = yield* PluginSources
  const wanted = new Map(plans.flatMap(remoteSources).map((source) => [source.name, source]))
  const fetched = yield* Effect.forEach(
    wanted.values(),
    (source) =>
      Effect.map(fetch(source), (found): ReadonlyArray<ResolvedSource> =>
        found._tag === "Found" ? [{ source: source.name, folder: found.folder }] : []
      ),
    { concurrency: "unbounded" }
  )
  return fetched.flat()
})
