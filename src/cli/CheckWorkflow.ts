/** What validation says about a workflow file, with the registries of this user: the same for `validate` and `run`. */
import { Effect, Layer } from "effect"
import type { LoadedWorkflow } from "../language/Loader.ts"
import { renderDiagnostic, type Diagnostic } from "../language/validate/Diagnostic.ts"
import { validateWithSubWorkflows } from "../language/validate/SubWorkflows.ts"
import * as RegisteredWorkflows from "../registries/RegisteredWorkflows.ts"
import { Repositories } from "../registries/Repositories.ts"
import { shown } from "./output/Output.ts"
import type { Style } from "./output/Style.ts"

/** Where the references of steps lead, without the network. */
export const registeredWorkflows = Layer.provide(RegisteredWorkflows.layer, Repositories.layerOffline)

export const checkWorkflow = (loaded: LoadedWorkflow) =>
  Effect.provide(validateWithSubWorkflows(loaded), registeredWorkflows)

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

export const errorsOf = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  diagnostics.filter(({ severity }) => severity === "error")

/** `2 errors, 1 warning`. */
export const summaryOf = (diagnostics: ReadonlyArray<Diagnostic>): string => {
  const errors = errorsOf(diagnostics).length
  return `${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}`
}

export const diagnosticLine = (diagnostic: Diagnostic, style: Style): string => {
  const colour = diagnostic.severity === "error" ? style.red : style.yellow
  return `${colour(shown(renderDiagnostic(diagnostic)))} ${style.dim(`[${diagnostic.rule}]`)}`
}
