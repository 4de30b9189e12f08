/** `conductor run <workflow>`: starts a run in its own process, shows it, and prints its output. */
import { Effect, Either, Schema } from "effect"
import { ProviderName } from "../language/document/Vocabulary.ts"
import { loadWorkflow, type LoadedWorkflow } from "../language/Loader.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"
import { checkWorkflow, diagnosticLine, errorsOf, summaryOf } from "./CheckWorkflow.ts"
import { failed, misused } from "./CliFailure.ts"
import { stayWith } from "./follow/FollowRun.ts"
import { instructionFiles } from "./InstructionFiles.ts"
import { Output, shown, shownInline } from "./output/Output.ts"
import { patiently, STARTING } from "./output/Patience.ts"
import { resolveWorkflow, type LocatedWorkflow } from "./ResolveWorkflow.ts"
import { runInputs } from "./RunInputs.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

type RunCall = Call<Verbs["run"]>

const isProvider = Schema.is(ProviderName)

/** As the run will see it: a provider that is chosen on the command line replaces that of the file, with its settings. */
const withProvider = (loaded: LoadedWorkflow, provider: RunCall["provider"]): LoadedWorkflow => {
  if (!isProvider(provider)) return loaded
  const { workflow } = loaded.document
  const runtime = { ...workflow.runtime, provider: { name: provider } }
  return { ...loaded, document: { ...loaded.document, workflow: { ...workflow, runtime } } }
}

/**
 * The reference starts any file that loads. What is an error to validation would fail the run, often after an hour of
 * work, so it is told now; what is only doubtful runs.
 */
const refuseInvalid = (located: LocatedWorkflow, loaded: LoadedWorkflow) =>
  Effect.gen(function* () {
    const output = yield* Output
    const diagnostics = yield* checkWorkflow(loaded)
    const errors = errorsOf(diagnostics)
    for (const diagnostic of errors) yield* output.report(diagnosticLine(diagnostic, output.errorStyle))
    if (errors.length > 0) return yield* failed(`${located.file} is not valid: ${summaryOf(diagnostics)}`)
    if (diagnostics.length === 0) return
    const note = `note: ${summaryOf(diagnostics)}; see 'conductor validate ${shownInline(located.file)}'`
    yield* output.report(output.errorStyle.yellow(note))
  })

const readInputs = (loaded: LoadedWorkflow, options: RunCall) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { input } = loaded.document.workflow
    const read = runInputs(input, { texts: options.input, jsons: options["input-json"] })
    if (Either.isLeft(read)) return yield* misused(read.left.join("\n"))
    for (const note of read.right.notes)
      yield* output.report(output.errorStyle.yellow(`note: ${shown(note)}; it is passed on`))
    return read.right.inputs
  })

export const run = (options: RunCall) =>
  Effect.gen(function* () {
    const launcher = yield* RunLauncher
    const located = yield* resolveWorkflow(options.workflow)
    const loaded = yield* loadWorkflow(located.file)
    yield* refuseInvalid(located, withProvider(loaded, options.provider))
    if (options["dry-run"]) {
      const { dryRun } = yield* Effect.promise(() => import("./plan/DryRun.ts"))
      return yield* dryRun(loaded, options)
    }
    const inputs = yield* readInputs(loaded, options)
    const directory = process.cwd()
    const instructions = yield* instructionFiles(
      { workspace: options["workspace-instructions"] ? "discover" : "leave", files: options.instructions },
      directory
    )
    const launch = launcher.launch({
      ...located,
      inputs,
      metadata: {},
      launchDirectory: directory,
      ...(instructions === undefined ? {} : { instructions }),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options["skip-gates"] ? { gates: "skip" as const } : {}),
      provenance: { via: "cli" }
    })
    yield* stayWith(yield* patiently(STARTING, options)(launch), options)
  })
