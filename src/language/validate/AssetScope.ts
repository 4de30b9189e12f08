/** What the rules about skills and plugins have in common: the lists that name them, and the steps that these reach. */
import { Path } from "@effect/platform/Path"
import { Effect } from "effect"
import type { ProviderName } from "../document/Vocabulary.ts"
import type { LoadedWorkflow } from "../Loader.ts"
import type { Place } from "../Problem.ts"
import type { AssetFault } from "../skills/AssetFault.ts"
import { error, warning, type Finding } from "./Diagnostic.ts"
import { modelSteps, providerOf, type Scope } from "./Scope.ts"

export interface AssetList<Entry> {
  readonly place: Place
  readonly entries: ReadonlyArray<Entry>
  /** Of the steps that get what is listed, each once. */
  readonly providers: ReadonlyArray<ProviderName>
}

const RUNTIME: Place = ["workflow", "runtime"]

/** The runtime's list, which reaches the steps that have none, and the list of each step that has one. */
const listsOf = <Key extends "skills" | "plugins">(scope: Scope, key: Key) => {
  type Entry = Scope["document"]["workflow"]["runtime"][Key][number]
  const steps = modelSteps(scope)
  const inheriting = steps.filter(({ step }) => step[key] === undefined)
  const providersOf = (some: typeof steps) => [...new Set(some.map(({ step }) => providerOf(step, scope)))]
  const own = steps.flatMap((placed): ReadonlyArray<AssetList<Entry>> => {
    const entries: ReadonlyArray<Entry> | undefined = placed.step[key]
    return entries === undefined ? [] : [{ place: [...placed.place, key], entries, providers: providersOf([placed]) }]
  })
  const inherited: ReadonlyArray<Entry> = scope.document.workflow.runtime[key]
  return [{ place: [...RUNTIME, key], entries: inherited, providers: providersOf(inheriting) }, ...own]
}

export const skillLists = (scope: Scope) => listsOf(scope, "skills")
export const pluginLists = (scope: Scope) => listsOf(scope, "plugins")

/** What validation makes of a fault, which stands at the entry unless its source is at fault. */
export const faultFinding = (place: Place, { message, severity, source, suggestion }: AssetFault): Finding => {
  const at = source === undefined ? place : [...RUNTIME, "plugin_sources", source]
  return severity === "broken" ? error(at, message, suggestion) : warning(at, message)
}

/** The folder of the workflow file; undefined for text that came from no file, where relative paths lead nowhere. */
export const workflowFolder = ({ path: file }: LoadedWorkflow) =>
  Effect.map(Path, (path) => (path.isAbsolute(file) ? path.dirname(file) : undefined))
