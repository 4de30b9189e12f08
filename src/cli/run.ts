/** `conductor run <workflow>`: starts a run in its own process, shows it, and prints its output. */
import { Clock, Effect, Either, Fiber, Schema, Stream } from "effect"
import { isTerminal } from "../domain/RunStatus.ts"
import { ProviderName } from "../language/document/Vocabulary.ts"
import { loadWorkflow, type LoadedWorkflow } from "../language/Loader.ts"
import { RunCancellation } from "../runs/RunCancellation.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import type { RunView } from "../runs/RunView.ts"
import { checkWorkflow, diagnosticLine, errorsOf, summaryOf } from "./CheckWorkflow.ts"
import { failed, misused } from "./CliFailure.ts"
import { Output, printJson, shown, shownInline } from "./output/Output.ts"
import { resolveWorkflow, type LocatedWorkflow } from "./ResolveWorkflow.ts"
import { runInputs } from "./RunInputs.ts"
import { progressText, runElapsed } from "./runs/RunReport.ts"
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

/** One line that is redrawn: the run, what it does now, and for how long. Ends when the run does. */
const showProgress = (runId: string) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const draw = (view: RunView) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        output.progress(`${shownInline(view.workflow.name)}  ${progressText(view)}  ${runElapsed(view, now)}`)
      )
    yield* Stream.zipLatest(monitor.watch(runId), Stream.tick("1 second")).pipe(
      Stream.map(([view]) => view),
      Stream.tap(draw),
      Stream.takeUntil(({ status }) => isTerminal(status)),
      Stream.runDrain
    )
    return yield* monitor.status(runId)
  })

/** By then the run has been asked to end, and will, whether or not somebody waits for it. */
const patience = "1 second"

/** Ctrl-C ends the run, not only the watching of it: who started it here expects it to be gone. */
const cancelRun = (runId: string) =>
  Effect.gen(function* () {
    const output = yield* Output
    const cancellation = yield* RunCancellation
    yield* output.report(`Cancelling run ${runId} …`)
    const waiting = yield* Effect.fork(
      Effect.delay(output.report("It takes its time. Ctrl-C again leaves without waiting."), patience)
    )
    const outcome = yield* cancellation.cancel(runId, "the command that started it")
    yield* Fiber.interrupt(waiting)
    yield* output.report(
      outcome._tag === "Survived" ? shown(outcome.reason) : `Run ${runId} ended: ${outcome.view.status}.`
    )
  }).pipe(Effect.catchAll(({ message }) => Effect.flatMap(Output, (output) => output.report(shown(message)))))

/** In a fiber of its own: in a finalizer nothing can be interrupted, and so no wait with a time limit would ever end. */
const aside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join)

const finish = (view: RunView) =>
  Effect.gen(function* () {
    if (view.output !== undefined) yield* printJson(view.output)
    if (view.status === "completed") return
    const reason = view.error === undefined ? "" : `\n${view.error.type}: ${view.error.message}`
    return yield* failed(`Run ${view.runId} ${view.status}.${reason}\nSee 'conductor logs ${view.runId}'.`)
  })

export const run = (options: RunCall) =>
  Effect.gen(function* () {
    const output = yield* Output
    const launcher = yield* RunLauncher
    const located = yield* resolveWorkflow(options.workflow)
    const loaded = yield* loadWorkflow(located.file)
    yield* refuseInvalid(located, withProvider(loaded, options.provider))
    const inputs = yield* readInputs(loaded, options)
    const started = yield* launcher.launch({
      ...located,
      inputs,
      metadata: {},
      launchDirectory: process.cwd(),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      provenance: { via: "cli" }
    })
    yield* output.report(output.errorStyle.dim(`run ${started.runId}`))
    const ended = yield* Effect.onInterrupt(showProgress(started.runId), () => aside(cancelRun(started.runId)))
    yield* finish(ended)
  })
