/** The rules that look at files beside the workflow: skills and plugins. Sub-workflows have a module of their own. */
import { Effect } from "effect"
import type { Runtime } from "../document/Runtime.ts"
import type { LoadedWorkflow } from "../Loader.ts"
import type { AssetServices } from "../skills/LocateAsset.ts"
import { workflowFolder } from "./AssetScope.ts"
import { diagnosticOf, type Diagnostic, type Finding } from "./Diagnostic.ts"
import { skillDiscovery } from "./DiscoveryRules.ts"
import { plugins } from "./PluginRules.ts"
import { scopeOf, type Scope } from "./Scope.ts"
import { skills } from "./SkillRules.ts"
import { positionOf } from "./Validate.ts"

type PluginSources = Runtime["plugin_sources"]

type AssetRule = (
  scope: Scope,
  directory: string | undefined,
  inherited: PluginSources
) => Effect.Effect<ReadonlyArray<Finding>, never, AssetServices>

const RULES: Readonly<Record<string, AssetRule>> = { skill: skills, "skill-discovery": skillDiscovery, plugin: plugins }

/** `inherited`: the plugin sources of the workflows that call this one, with absolute folders. */
export const validateAssets = Effect.fn("AssetRules.validate")(function* (
  loaded: LoadedWorkflow,
  inherited: PluginSources = {}
) {
  const scope = scopeOf(loaded)
  const directory = yield* workflowFolder(loaded)
  const found = yield* Effect.forEach(Object.entries(RULES), ([rule, check]) =>
    Effect.map(check(scope, directory, inherited), (findings) =>
      findings.map((finding): Diagnostic => diagnosticOf(rule, finding, positionOf(loaded, finding.place)))
    )
  )
  return found.flat()
})
