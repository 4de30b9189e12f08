/** `conductor run <workflow>`: starts a run in its own process, shows it, and prints its output. */
import { Clock, Effect, Either, Fiber, Ref, Stream } from "effect"
import { isTerminal } from "../domain/RunStatus.ts"
import { loadWorkflow } from "../language/Loader.ts"
import { RunCancellation } from "../runs/RunCancellation.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import type { RunView } from "../runs/RunView.ts"
import { failed, misused } from "./CliFailure.ts"
import { gateLines, respondCommand } from "./gate/GateText.ts"
import { Output, printJson, shown, shownInline } from "./output/Output.ts"
import { resolveWorkflow, type LocatedWorkflow } from "./ResolveWorkflow.ts"
import { runInputs } from "./RunInputs.ts"
import { progressText, runElapsed } from "./runs/RunReport.ts"
import type { Call } from "./Verb.ts"
import type { Verbs } from "./Verbs.ts"

type RunCall = Call<Verbs["run"]>

const readInputs = (located: LocatedWorkflow, options: RunCall) =>
  Effect.gen(function* () {
    const output = yield* Output
    const { document } = yield* loadWorkflow(located.file)
    const read = runInputs(document.workflow.input, { texts: options.input, jsons: options["input-json"] })
    if (Either.isLeft(read)) return yield* misused(read.left.join("\n"))
    for (const note of read.right.notes)
      yield* output.report(output.errorStyle.yellow(`note: ${shown(note)}; it is passed on`))
    return read.right.inputs
  })

/** Says once for each gate what the run asks and how to answer: it waits for as long as it takes. */
const tellGate = (told: Ref.Ref<string | undefined>, { gate, runId }: RunView) =>
  Effect.gen(function* () {
    const output = yield* Output
    const before = yield* Ref.getAndSet(told, gate?.promptId)
    if (gate === undefined || gate.promptId === before) return
    yield* output.report(gateLines(gate, respondCommand(runId)).join("\n"))
  })

/** One line that is redrawn: the run, what it does now, and for how long. Ends when the run does. */
const showProgress = (runId: string) =>
  Effect.gen(function* () {
    const monitor = yield* RunMonitor
    const output = yield* Output
    const told = yield* Ref.make<string | undefined>(undefined)
    const draw = (view: RunView) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        output.progress(`${shownInline(view.workflow.name)}  ${progressText(view)}  ${runElapsed(view, now)}`)
      )
    yield* Stream.zipLatest(monitor.watch(runId), Stream.tick("1 second")).pipe(
      Stream.map(([view]) => view),
      Stream.tap((view) => tellGate(told, view)),
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
    const inputs = yield* readInputs(located, options)
    const started = yield* launcher.launch({
      ...located,
      inputs,
      metadata: {},
      launchDirectory: process.cwd(),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options["skip-gates"] ? { gates: "skip" as const } : {}),
      provenance: { via: "cli" }
    })
    yield* output.report(output.errorStyle.dim(`run ${started.runId}`))
    const ended = yield* Effect.onInterrupt(showProgress(started.runId), () => aside(cancelRun(started.runId)))
    yield* finish(ended)
  })
