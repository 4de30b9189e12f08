/** A command that starts a run stays with it: it shows what the run does, ends it on Ctrl-C, and prints what came of it. */
import { Clock, Effect, Fiber, Ref, Stream } from "effect"
import { isTerminal } from "../../domain/RunStatus.ts"
import { RunCancellation } from "../../runs/RunCancellation.ts"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import type { RunView } from "../../runs/RunView.ts"
import { failed } from "../CliFailure.ts"
import { gateLines, respondCommand } from "../gate/GateText.ts"
import { Output, printJson, shown, shownInline } from "../output/Output.ts"
import { progressText, runElapsed, runJson } from "./RunReport.ts"

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

const advice = ({ error, runId, status }: RunView): string =>
  status === "failed" && error?.type === "WorkflowTerminated"
    ? `See 'conductor logs ${runId}'.`
    : `See 'conductor logs ${runId}'; go on with 'conductor resume ${runId}'.`

const checkCompleted = (view: RunView) => {
  if (view.status === "completed") return Effect.void
  const reason = view.error === undefined ? "" : `\n${view.error.type}: ${view.error.message}`
  return failed(`Run ${view.runId} ${view.status}.${reason}\n${advice(view)}`)
}

/** Prints the output of a run, and fails if it did not complete. */
export const printEnd = (view: RunView) =>
  Effect.zipRight(view.output === undefined ? Effect.void : printJson(view.output), checkCompleted(view))

/** The same with all that is known of the run. */
export const printEndAsJson = (view: RunView) => Effect.zipRight(printJson(runJson(view)), checkCompleted(view))

/** Shows a run that was started by this command until it ends. Interrupting it ends the run. */
export const followRun = ({ runId }: RunView) =>
  Effect.gen(function* () {
    const output = yield* Output
    yield* output.report(output.errorStyle.dim(`run ${runId}`))
    return yield* Effect.onInterrupt(showProgress(runId), () => aside(cancelRun(runId)))
  })
