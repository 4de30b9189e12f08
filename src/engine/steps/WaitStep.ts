/**
 * Lets time pass (workflow language §5.17). An interruption of the run ends the wait at once; a run that is resumed waits
 * for what is left.
 */
import { Clock, Duration, Effect, Either } from "effect"
import { float, type Value } from "../../domain/Value.ts"
import { checkDurationRange, parseDuration } from "../../language/Duration.ts"
import type { WaitNode } from "../../language/PlanNode.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import { failureOf, ValidationError } from "../EngineErrors.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

const parse = (text: string, step: string): Either.Either<number, ValidationError> =>
  parseDuration(text).pipe(
    Either.flatMap(checkDurationRange),
    Either.mapLeft((error) => new ValidationError({ message: `Step '${step}': ${error.message}` }))
  )

/** Seconds and reason; the two are told in `wait_started` as far as they can be rendered. */
const prepare = ({ context, step }: StepRun<WaitNode>) => {
  const duration = renderTemplate(String(step.duration), context).pipe(Either.flatMap((text) => parse(text, step.name)))
  const reason = step.reason === undefined ? Either.right(null) : renderTemplate(step.reason, context)
  return { duration, reason }
}

/** Seconds that are left of a wait. A clock that was set back makes a wait no longer than it was asked to be. */
const leftOf = (requested: number, since: number | undefined): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    since === undefined ? requested : Math.min(requested, Math.max(0, since + requested - now / 1000))
  )

export const runWaitStep = (run: StepRun<WaitNode>): StepEffect => {
  const { execution, journal, step, waitingSince } = run
  return Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const { duration, reason } = prepare(run)
    yield* journal.append("wait_started", {
      agent_name: step.name,
      iteration: execution,
      duration_seconds: Either.getOrNull(duration),
      reason: Either.getOrNull(reason)
    })
    const wait = Effect.gen(function* () {
      const requested = yield* duration
      const told = yield* reason
      const waiting = yield* stopwatch
      const left = yield* leftOf(requested, waitingSince)
      yield* Effect.sleep(Duration.seconds(left))
      return { requested, told, waited: requested - left + (yield* waiting) }
    })
    const { requested, told, waited } = yield* Effect.tapError(wait, (error) =>
      Effect.flatMap(elapsed, (elapsed) =>
        journal.append("wait_failed", { agent_name: step.name, elapsed, ...failureOf(error) })
      )
    )
    const output: Value = { waited_seconds: float(waited) }
    yield* journal.append("wait_completed", {
      agent_name: step.name,
      elapsed: yield* elapsed,
      waited_seconds: waited,
      requested_seconds: requested,
      reason: told,
      interrupted: false,
      output
    })
  })
}
