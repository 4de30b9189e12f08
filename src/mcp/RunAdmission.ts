/**
 * Keeps the number of living runs below the operator's limit. Counts the runs of the whole machine, since each host
 * starts a server of its own (mcp serve reference W35).
 */
import { Context, Effect, Layer } from "effect"
import type { RunStatus } from "../domain/RunStatus.ts"
import type { RunStoreError } from "../runs/RunErrors.ts"
import { RunMonitor } from "../runs/RunMonitor.ts"
import { ServeContext } from "./ServeContext.ts"
import { TooManyRuns } from "./ToolErrors.ts"

const alive: ReadonlyArray<RunStatus> = ["running", "awaiting_gate", "paused"]

export class RunAdmission extends Context.Tag("conductor/RunAdmission")<
  RunAdmission,
  {
    /** Does `launch` unless too many runs are alive. */
    readonly admit: <A, E, R>(launch: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyRuns | RunStoreError, R>
  }
>() {
  static readonly layer = Layer.effect(
    RunAdmission,
    Effect.gen(function* () {
      const { options } = yield* ServeContext
      const monitor = yield* RunMonitor
      const limit = options.maxConcurrentRuns
      // One launch at a time: two that count at once would both find room for one.
      const turn = yield* Effect.makeSemaphore(1)
      const count = Effect.forEach(alive, (status) => monitor.list({ status, limit: 1, offset: 0 })).pipe(
        Effect.map((pages) => pages.reduce((sum, page) => sum + page.total, 0))
      )
      const check = Effect.filterOrFail(
        count,
        (alive) => alive < limit,
        (alive) => new TooManyRuns({ limit, alive })
      )
      return {
        admit: (launch) => (limit === 0 ? launch : turn.withPermits(1)(Effect.zipRight(check, launch)))
      }
    })
  )
}
