/** `conductor run <workflow>`: starts a run in its own process, shows it, and prints its output. */
import { Command, Options } from "@effect/cli"
import { Clock, Effect, Either, Option, Stream } from "effect"
import { isTerminal } from "../domain/RunStatus.ts"
import { loadWorkflow } from "../language/Loader.ts"
import { RunCancellation } from "../runs/RunCancellation.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import type { RunView } from "../runs/RunView.ts"
import { failed, misused } from "./CliFailure.ts"
import { workflowReference } from "./CommonOptions.ts"
import { Output, printJson, shown, shownInline } from "./output/Output.ts"
import { runInputs } from "./RunInputs.ts"
import { progressText, runElapsed } from "./runs/RunReport.ts"
import { resolveWorkflow } from "./ResolveWorkflow.ts"

const input = Options.text("input").pipe(
  Options.withAlias("i"),
  Options.withDescription("An input as name=value; repeatable"),
  Options.repeated
)
const inputJson = Options.text("input-json").pipe(
  Options.withDescription("An input as name=<json>, or all of them as one JSON object; repeatable"),
  Options.repeated
)
const provider = Options.text("provider").pipe(
  Options.withAlias("p"),
  Options.withDescription("Use this model provider instead of the workflow's own"),
  Options.optional
)

/** One line that is redrawn: the run, what it does now, and for how long. */
const showProgress = (runId: string) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const draw = (view: RunView) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        output.progress(
          `${shownInline(view.workflow.name)}  ${progressText(view)}  ${runElapsed(view, now)}`
        )
      )
    const ticking = Stream.zipLatest(monitor.watch(runId), Stream.tick("1 second"))
    yield* ticking.pipe(
      Stream.tap(([view]) => draw(view)),
      Stream.takeUntil(([view]) => isTerminal(view.status)),
      Stream.runDrain
    )
    return yield* monitor.status(runId)
  })

/** Ctrl-C ends the run, not only the watching of it: who started it here expects it to be gone. */
const cancelOnInterrupt = (runId: string) =>
  Effect.gen(function* () {
    const output = yield* Output
    const cancellation = yield* RunCancellation
    yield* output.report(`Cancelling run ${runId} …`)
    const outcome = yield* cancellation.cancel(runId, "interrupt")
    yield* output.report(outcome._tag === "Survived" ? outcome.reason : `Run ${runId}: ${outcome.view.status}`)
  }).pipe(Effect.catchAll(() => Effect.void))

const finish = (view: RunView) =>
  Effect.gen(function* () {
    if (view.output !== undefined) yield* printJson(view.output)
    if (view.status === "completed") return
    const reason = view.error === undefined ? "" : `\n${view.error.type}: ${shown(view.error.message)}`
    return yield* failed(`Run ${view.runId} ${view.status}.${reason}\nSee 'conductor logs ${view.runId}'.`)
  })

export const run = Command.make("run", { workflow: workflowReference, input, inputJson, provider }, (options) =>
  Effect.gen(function* () {
    const output = yield* Output
    const launcher = yield* RunLauncher
    const located = yield* resolveWorkflow(options.workflow)
    const { document } = yield* loadWorkflow(located.file)
    const checked = runInputs(document.workflow.input, { texts: options.input, jsons: options.inputJson })
    if (Either.isLeft(checked)) return yield* misused(shown(checked.left.join("\n")))
    for (const note of checked.right.notes) yield* output.report(output.errorStyle.yellow(`note: ${shown(note)}`))
    const started = yield* launcher.launch({
      file: located.file,
      registry: located.registry,
      key: located.key,
      inputs: checked.right.inputs,
      metadata: {},
      launchDirectory: process.cwd(),
      ...(Option.isSome(options.provider) ? { provider: options.provider.value } : {}),
      provenance: { via: "cli" }
    })
    yield* output.report(output.errorStyle.dim(`run ${started.runId}`))
    const ended = yield* showProgress(started.runId).pipe(Effect.onInterrupt(() => cancelOnInterrupt(started.runId)))
    yield* finish(ended)
  })
).pipe(Command.withDescription("Run a workflow and print its output as JSON"))
