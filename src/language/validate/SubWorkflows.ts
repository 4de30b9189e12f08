/**
 * Validation that follows `type: workflow` steps into other files: they exist, load, are valid themselves and do not lead back.
 * References to registries are not followed, since that would need the network.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Path } from "@effect/platform/Path"
import { Effect, Either } from "effect"
import { Environment } from "../../platform/Environment.ts"
import { loadWorkflow, type LoadedWorkflow } from "../Loader.ts"
import { diagnosticOf, error, warning, type Diagnostic, type Finding } from "./Diagnostic.ts"
import { scopeOf, typeOf, type PlacedStep } from "./Scope.ts"
import { positionOf, validateWorkflow } from "./Validate.ts"

/** As deep as sub-workflows may run (workflow language §5.9). */
const MAX_DEPTH = 10

const looksLikeFile = (reference: string): boolean =>
  !reference.includes("@") && (/\.ya?ml$/.test(reference) || reference.includes("/"))

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

const inChild = ({ reference, step }: Callee, diagnostic: Diagnostic): Finding => {
  const make = diagnostic.severity === "error" ? error : warning
  const place = [diagnostic.path, diagnostic.message].filter((part) => part !== "").join(": ")
  return make([...step.place, "workflow"], `in ${reference}: ${place}`, diagnostic.suggestion)
}

const visitCallee = (
  loaded: LoadedWorkflow,
  callee: Callee,
  chain: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Finding>, never, Requirements> =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem
    const path = yield* Path
    const { reference, step } = callee
    const place = [...step.place, "workflow"]
    const file = path.resolve(path.dirname(loaded.path), reference)
    const real = yield* Effect.option(fileSystem.realPath(file))
    if (real._tag === "None") {
      return looksLikeFile(reference)
        ? [error(place, `sub-workflow file not found: ${reference} (looked for ${file})`)]
        : []
    }
    if (chain.includes(real.value)) {
      return [error(place, `sub-workflows call each other in a circle: ${[...chain, real.value].join(" → ")}`)]
    }
    if (chain.length >= MAX_DEPTH) return [warning(place, `${reference} is nested too deeply to be validated`)]
    const child = yield* Effect.either(loadWorkflow(file))
    if (Either.isLeft(child)) return [error(place, `${reference} cannot be loaded:\n${child.left.message}`)]
    const found = yield* validate(child.right, [...chain, real.value])
    return found.map((diagnostic) => inChild(callee, diagnostic))
  })

const validate = (
  loaded: LoadedWorkflow,
  chain: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Diagnostic>, never, Requirements> =>
  Effect.forEach(calleesOf(loaded), (callee) => visitCallee(loaded, callee, chain)).pipe(
    Effect.map((findings) => [
      ...validateWorkflow(loaded),
      ...findings.flat().map((finding) => diagnosticOf("sub-workflow", finding, positionOf(loaded, finding.place)))
    ])
  )

/** The diagnostics of a workflow and, at the steps that call them, of the files that it calls. */
export const validateWithSubWorkflows = Effect.fn("SubWorkflows.validate")(function* (loaded: LoadedWorkflow) {
  const fileSystem = yield* FileSystem
  const root = yield* Effect.orElseSucceed(fileSystem.realPath(loaded.path), () => loaded.path)
  return yield* validate(loaded, [root])
})
