/**
 * Validation that follows `type: workflow` steps into other files: they exist, load, are valid themselves and do not lead
 * back. Where references lead is `LocateSubWorkflow`'s business.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either, Ref } from "effect"
import { dirname } from "node:path"
import { Environment } from "../../platform/Environment.ts"
import type { Runtime } from "../document/Runtime.ts"
import { loadWorkflow, type LoadedWorkflow } from "../Loader.ts"
import { locateSubWorkflow } from "../LocateSubWorkflow.ts"
import { anchoredSources, sourcesKey } from "../plugins/PluginSource.ts"
import type { Place } from "../Problem.ts"
import { MAX_DEPTH, MAX_WORKFLOWS } from "../SubWorkflowLimits.ts"
import { validateAssets } from "./AssetRules.ts"
import { diagnosticOf, error, warning, type Diagnostic, type Finding } from "./Diagnostic.ts"
import { scopeOf, typeOf, type PlacedStep } from "./Scope.ts"
import { positionOf, validateWorkflow } from "./Validate.ts"

interface Callee {
  readonly step: PlacedStep
  readonly reference: string
}

const calleesOf = (loaded: LoadedWorkflow): ReadonlyArray<Callee> =>
  scopeOf(loaded).placedSteps.flatMap((step) =>
    typeOf(step.step) === "workflow" && step.step.workflow !== undefined
      ? [{ step, reference: step.step.workflow }]
      : []
  )

type Requirements = FileSystem | Path | Environment

/** The place in the child is part of the message; the finding itself stands at the step that calls it. */
const inChild = ({ reference, step }: Callee, { column, line, ...diagnostic }: Diagnostic): Finding => {
  const make = diagnostic.severity === "error" ? error : warning
  const place = [diagnostic.path, diagnostic.message].filter((part) => part !== "").join(": ")
  return make([...step.place, "workflow"], `in ${reference}:${line}:${column}: ${place}`, diagnostic.suggestion)
}

interface Walk {
  /** Real paths of the files that led here, the root first. */
  readonly chain: ReadonlyArray<string>
  /** All files so far, with the sources that they inherit: each one is validated once, where it is called first. */
  readonly visited: Ref.Ref<ReadonlySet<string>>
  /** The plugin sources of all that led here, with absolute folders. */
  readonly sources: Runtime["plugin_sources"]
}

const ownSources = ({ document, path }: LoadedWorkflow) =>
  anchoredSources(document.workflow.runtime.plugin_sources, dirname(path))

type Located =
  | { readonly _tag: "File"; readonly file: string; readonly real: string }
  | { readonly _tag: "Nowhere"; readonly findings: ReadonlyArray<Finding> }

const nowhere = (...findings: ReadonlyArray<Finding>): Located => ({ _tag: "Nowhere", findings })

const locate = Effect.fnUntraced(function* (loaded: LoadedWorkflow, reference: string, place: Place) {
  const fileSystem = yield* FileSystem
  const path = yield* Path
  const found = yield* locateSubWorkflow(reference, path.dirname(loaded.path))
  switch (found._tag) {
    case "Refused":
      return nowhere(error(place, `the sub-workflow ${reference} cannot be found: ${found.message}`))
    case "NotChecked":
      return nowhere(warning(place, `the sub-workflow ${reference} is not checked: ${found.reason}`))
    case "Found": {
      const real = yield* Effect.orElseSucceed(fileSystem.realPath(found.file), () => found.file)
      return { _tag: "File", file: found.file, real } satisfies Located
    }
  }
})

const visitCallee = (
  loaded: LoadedWorkflow,
  callee: Callee,
  { chain, sources, visited }: Walk
): Effect.Effect<ReadonlyArray<Finding>, never, Requirements> =>
  Effect.gen(function* () {
    const { reference, step } = callee
    const place = [...step.place, "workflow"]
    const located = yield* locate(loaded, reference, place)
    if (located._tag === "Nowhere") return located.findings
    const { file, real } = located
    if (chain.includes(real)) {
      return [error(place, `sub-workflows call each other in a circle: ${[...chain, real].join(" → ")}`)]
    }
    if (chain.length >= MAX_DEPTH) return [warning(place, `${reference} is nested too deeply to be validated`)]
    const inherited = { ...sources, ...ownSources(loaded) }
    const seenAs = `${real}\0${sourcesKey(inherited)}`
    const seen = yield* Ref.get(visited)
    if (seen.has(seenAs)) return []
    if (seen.size > MAX_WORKFLOWS) {
      return [warning(place, `${reference} is not validated: the workflow calls more than ${MAX_WORKFLOWS} files`)]
    }
    yield* Ref.set(visited, new Set([...seen, seenAs]))
    const child = yield* Effect.either(loadWorkflow(file))
    if (Either.isLeft(child)) return [error(place, `${reference} cannot be loaded:\n${child.left.message}`)]
    const found = yield* validate(child.right, {
      chain: [...chain, real],
      visited,
      sources: inherited
    })
    return found.map((diagnostic) => inChild(callee, diagnostic))
  })

const validate = (loaded: LoadedWorkflow, walk: Walk): Effect.Effect<ReadonlyArray<Diagnostic>, never, Requirements> =>
  Effect.all([
    validateAssets(loaded, walk.sources),
    Effect.forEach(calleesOf(loaded), (callee) => visitCallee(loaded, callee, walk))
  ]).pipe(
    Effect.map(([assets, findings]) => [
      ...validateWorkflow(loaded),
      ...assets,
      ...findings.flat().map((finding) => diagnosticOf("sub-workflow", finding, positionOf(loaded, finding.place)))
    ])
  )

/** The diagnostics of a workflow with the files that it needs and, at the steps that call them, of the files that it calls. */
export const validateWithSubWorkflows = Effect.fn("SubWorkflows.validate")(function* (loaded: LoadedWorkflow) {
  const fileSystem = yield* FileSystem
  const root = yield* Effect.orElseSucceed(fileSystem.realPath(loaded.path), () => loaded.path)
  const visited = yield* Ref.make<ReadonlySet<string>>(new Set([root]))
  return yield* validate(loaded, { chain: [root], visited, sources: {} })
})
