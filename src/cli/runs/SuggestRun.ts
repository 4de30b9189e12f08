/** A mistyped run id is answered with the id that was probably meant. */
import { Effect } from "effect"
import { nearest } from "../../domain/NearMatch.ts"
import { RunNotFound } from "../../runs/RunErrors.ts"
import { RunMonitor } from "../../runs/RunMonitor.ts"
import { failed } from "../CliFailure.ts"

/** Newest runs that are looked through. */
const remembered = 200

const meant = (runId: string, known: ReadonlyArray<string>): string | undefined => {
  const beginnings = known.filter((candidate) => runId.length >= 3 && candidate.startsWith(runId))
  return beginnings.length === 1 ? beginnings[0] : nearest(runId, known)
}

const isRunNotFound = (error: unknown): error is RunNotFound => error instanceof RunNotFound

export const suggestRun = <A, E, R>(effect: Effect.Effect<A, E | RunNotFound, R>) =>
  Effect.catchIf(effect, isRunNotFound, ({ message, runId }) =>
    Effect.gen(function* () {
      const monitor = yield* RunMonitor
      const { runs } = yield* monitor.list({ limit: remembered, offset: 0 })
      const known = runs.map((view) => view.runId)
      const near = meant(runId, known)
      return yield* failed(near === undefined ? message : `No run has the id '${runId}'. Did you mean '${near}'?`)
    })
  )
