/** The plugins that steps name exist, can be read, and do not get into each other's way. Nothing is fetched. */
import { Effect, Either } from "effect"
import type { Plugin } from "../document/Plugins.ts"
import type { Runtime } from "../document/Runtime.ts"
import type { Place } from "../Problem.ts"
import { declaredSource, locatePlugin, marketplaceOf } from "../plugins/LocatePlugin.ts"
import type { AssetFault } from "../skills/AssetFault.ts"
import { skillsIn } from "../skills/LocateSkill.ts"
import { readPlugin, type PluginFolder } from "../plugins/Plugin.ts"
import { pluginMisfit, serverClashes } from "../plugins/PluginFit.ts"
import type { LoadedPlugin } from "../skills/StepAssets.ts"
import { faultFinding, pluginLists, type AssetList } from "./AssetScope.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { CAPABILITIES } from "./ProviderCapabilities.ts"
import { typeOf, type Scope } from "./Scope.ts"

const brokenSkills = (place: Place, { skills }: PluginFolder) =>
  Effect.map(skillsIn(skills), ({ faults }) => faults.map((fault) => faultFinding(place, fault)))

/** What the providers of the steps cannot be given of a plugin. */
const misfits = ({ entry, folder, place }: Read, { providers }: AssetList<Plugin>): ReadonlyArray<Finding> =>
  providers.flatMap((provider) => {
    const fault = pluginMisfit({ entry, folder }, provider, CAPABILITIES[provider].plugins)
    return fault === undefined ? [] : [faultFinding(place, fault)]
  })

const dropped = (place: Place, { dropped: parts, name }: PluginFolder): ReadonlyArray<Finding> =>
  parts.length === 0 ? [] : [warning(place, `the ${parts.join(" and ")} of the plugin ${name} are not loaded`)]

interface Read extends LoadedPlugin {
  readonly place: Place
}

const clashes = (scope: Scope, read: ReadonlyArray<Read>): ReadonlyArray<Finding> =>
  serverClashes(Object.keys(scope.document.workflow.runtime.mcp_servers), read).map(({ fault, plugin }) =>
    faultFinding(plugin.place, fault)
  )

/** Such a provider loads a plugin whole. */
const partial = ({ entries, place, providers }: AssetList<Plugin>): ReadonlyArray<Finding> =>
  providers.includes("claude-agent-sdk")
    ? entries.flatMap(({ agents, name, skills }, index) =>
        skills && !agents
          ? [error([...place, index], `claude-agent-sdk cannot load the skills of ${name} without its agents`)]
          : []
      )
    : []

/** A source that a calling workflow declares has no place here: the entry that wants something of it has. */
const ofThisFile = ({ source, ...fault }: AssetFault, { document }: Scope): AssetFault =>
  declaredSource(document.workflow.runtime.plugin_sources, source) === undefined || source === undefined
    ? fault
    : { ...fault, source }

interface Places {
  readonly directory: string | undefined
  readonly sources: Runtime["plugin_sources"]
}

const checkList = Effect.fnUntraced(function* (scope: Scope, list: AssetList<Plugin>, { directory, sources }: Places) {
  const findings: Array<Finding> = [...partial(list)]
  const read: Array<Read> = []
  for (const [index, plugin] of list.entries.entries()) {
    const place = [...list.place, index]
    const located = yield* locatePlugin(plugin.name, sources, directory)
    if (Either.isLeft(located)) {
      findings.push(faultFinding(place, ofThisFile(located.left, scope)))
      continue
    }
    const folder = yield* Effect.either(readPlugin(located.right.folder))
    if (Either.isLeft(folder)) {
      findings.push(error(place, folder.left.message))
      continue
    }
    const one: Read = { place, entry: plugin, folder: folder.right }
    read.push(one)
    findings.push(...misfits(one, list))
    findings.push(...dropped(place, folder.right))
    if (plugin.skills) findings.push(...(yield* brokenSkills(place, folder.right)))
  }
  return [...findings, ...clashes(scope, read)]
})

const unusedSources = (scope: Scope): ReadonlyArray<Finding> => {
  // A workflow that is called may take something from it.
  if (scope.placedSteps.some(({ step }) => typeOf(step) === "workflow")) return []
  const used = new Set(pluginLists(scope).flatMap(({ entries }) => entries.map(({ name }) => marketplaceOf(name))))
  return Object.keys(scope.document.workflow.runtime.plugin_sources)
    .filter((name) => !used.has(name))
    .map((name) =>
      warning(["workflow", "runtime", "plugin_sources", name], `no plugin is taken from the source "${name}"`)
    )
}

export const plugins = Effect.fnUntraced(function* (
  scope: Scope,
  directory: string | undefined,
  inherited: Runtime["plugin_sources"]
) {
  const places = { directory, sources: { ...inherited, ...scope.document.workflow.runtime.plugin_sources } }
  const found = yield* Effect.forEach(pluginLists(scope), (list) => checkList(scope, list, places))
  return [...found.flat(), ...unusedSources(scope)]
})
