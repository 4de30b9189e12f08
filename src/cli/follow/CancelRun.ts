/** What Ctrl-C does to the run that is followed, once it is clear that it shall end. */
import { Effect, Fiber } from "effect"
import { RunCancellation } from "../../runs/RunCancellation.ts"
import { Output, shown } from "../output/Output.ts"

/** By then the run has been asked to end, and will, whether or not somebody waits for it. */
const patience = "1 second"

/** Ends the run and says what came of it. Never fails: it is said. */
export const cancelRun = (runId: string) =>
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
export const aside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join)
