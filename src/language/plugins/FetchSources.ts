/** Fetches what the steps of plans take their plugins from, all at once and before anything runs (workflow language §7.7). */
import { Effect, Either } from "effect"
import type { ResolvedSource } from "../../domain/ResolvedSource.ts"
import { agentSteps } from "../AgentSteps.ts"
import type { Plan } from "../Plan.ts"
import { marketplaceOf } from "./LocatePlugin.ts"
import { parsePluginSource, type RemoteSource } from "./PluginSource.ts"
import { PluginSources } from "./PluginSources.ts"

const AT_ONCE = 4

/** What no step takes anything from is not fetched. */
const remoteSources = (plan: Plan): ReadonlyArray<RemoteSource> =>
  agentSteps(plan)
    .flatMap(({ plugins = plan.runtime.plugins }) => plugins)
    .flatMap(({ name }) => plan.runtime.plugin_sources[marketplaceOf(name) ?? ""]?.source ?? [])
    .flatMap((text) => Either.match(parsePluginSource(text), { onLeft: () => [], onRight: (source) => [source] }))
    .filter((source) => source._tag !== "Folder")

/** Each source once. What cannot be fetched is not in it: the start of the run tells of that. */
export const fetchSources = Effect.fn("FetchSources.fetch")(function* (plans: ReadonlyArray<Plan>) {
  const { fetch } = yield* PluginSources
  const wanted = new Map(plans.flatMap(remoteSources).map((source) => [source.text, source]))
  const fetched = yield* Effect.forEach(
    wanted.values(),
    (source) =>
      Effect.map(fetch(source), (found): ReadonlyArray<ResolvedSource> =>
        found._tag === "Found" ? [{ source: source.text, folder: found.folder }] : []
      ),
    { concurrency: AT_ONCE }
  )
  return fetched.flat()
})
