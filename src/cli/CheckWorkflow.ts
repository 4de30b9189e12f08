/** What validation says about a workflow file, with the registries of this user: the same for `validate` and `run`. */
import { Effect } from "effect"
import type { LoadedWorkflow } from "../language/Loader.ts"
import type { Diagnostic } from "../language/validate/Diagnostic.ts"
import { validateWithSubWorkflows } from "../language/validate/SubWorkflows.ts"
import { layer as registeredWorkflows } from "../registries/RegisteredWorkflows.ts"

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
