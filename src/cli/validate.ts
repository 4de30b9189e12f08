/** `conductor validate <workflow>`: everything that is wrong or doubtful, all at once, each with its place. */
import { Effect } from "effect"
import { loadWorkflow } from "../language/Loader.ts"
import type { LoadError } from "../language/LoadError.ts"
import { compilePlan } from "../language/Plan.ts"
import { unsupportedSteps, type UnsupportedStep } from "../language/UnsupportedSteps.ts"
import type { Diagnostic } from "../language/validate/Diagnostic.ts"
import { checkWorkflow, diagnosticLine, errorsOf, summaryOf } from "./CheckWorkflow.ts"
import { failed } from "./CliFailure.ts"
import { Output, printJson, shownInline } from "./output/Output.ts"
import { resolveWorkflow } from "./ResolveWorkflow.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

/** What keeps a file from loading, in the shape of what validation finds in one that loads. */
const loadDiagnostics = (error: LoadError): ReadonlyArray<Diagnostic> =>
  error.problems.map((problem) => ({
    severity: "error",
    rule: "load",
    message: problem.message,
    path: problem.path,
    file: problem.file ?? error.path,
    line: problem.line ?? 1,
    column: problem.column ?? 1,
    ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion })
  }))

interface Checked {
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Fine as a workflow, but beyond the engine of this version. */
  readonly unsupported: ReadonlyArray<UnsupportedStep>
}

const check = (file: string) =>
  Effect.gen(function* () {
    const loaded = yield* loadWorkflow(file)
    const diagnostics = yield* checkWorkflow(loaded)
    return { diagnostics, unsupported: unsupportedSteps(compilePlan(loaded)) } satisfies Checked
  }).pipe(
    Effect.catchTag("LoadError", (error) =>
      Effect.succeed<Checked>({ diagnostics: loadDiagnostics(error), unsupported: [] })
    )
  )

export const validate = (options: Call<Verbs["validate"]>) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { file } = yield* resolveWorkflow(options.workflow)
    const { diagnostics, unsupported } = yield* check(file)
    const errors = errorsOf(diagnostics).length
    const summary = summaryOf(diagnostics)
    if (options.json) {
      yield* printJson({
        file,
        valid: errors === 0,
        diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic })),
        unsupported: unsupported.map((step) => ({ ...step }))
      })
    } else {
      const { dim, green, yellow } = output.style
      for (const diagnostic of diagnostics) yield* output.print(diagnosticLine(diagnostic, output.style))
      if (errors === 0) yield* output.print(`${green("valid")}  ${file}  ${dim(summary)}`)
      for (const { reason, step } of unsupported) {
        yield* output.print(yellow(`cannot run yet: ${shownInline(step)}: ${shownInline(reason)}`))
      }
    }
    if (errors > 0) return yield* failed(`${file}: ${summary}`)
  })
