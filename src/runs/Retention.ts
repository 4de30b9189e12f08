/** Removes the oldest runs beyond a number, so that the store does not grow without end. Never one that is not over. */
import { Context, Effect, Layer } from "effect"
import { isTerminal } from "../domain/RunStatus.ts"
import { Home } from "../platform/Home.ts"
import { RunIndex } from "./RunIndex.ts"
import { RunMonitor } from "./RunMonitor.ts"
import { readRetentionPolicy } from "./RetentionPolicy.ts"
import { RunStore } from "./RunStore.ts"

export interface RetentionReport {
  readonly removed: number
  readonly warnings: ReadonlyArray<string>
}

export class Retention extends Context.Tag("conductor/Retention")<
  Retention,
  {
    /** What cannot be removed is told in the report and tried again the next time. */
    readonly enforce: Effect.Effect<RetentionReport>
  }
>() {
  /** Keeps everything. */
  static readonly layerNone: Layer.Layer<Retention> = Layer.succeed(Retention, {
    enforce: Effect.succeed({ removed: 0, warnings: [] })
  })
}

/** Runs that one pass removes at most, so that it stays short; the next launch goes on. */
const passSize = 500

const make = Effect.gen(function* () {
  const { configFile } = yield* Home
  const store = yield* RunStore
  const index = yield* RunIndex
  const monitor = yield* RunMonitor

  const surplus = Effect.fnUntraced(function* (keepLast: number) {
    // The index is slow to open, and mostly there is nothing to do.
    if ((yield* store.ids).length <= keepLast) return []
    const page = yield* monitor.list({ limit: passSize, offset: keepLast })
    return page.runs.filter(({ status }) => isTerminal(status)).map(({ runId }) => runId)
  })

  /** Crashes are rare, and looking for what they left costs a look at every run. */
  const sweepOnce = yield* Effect.once(store.sweep)

  const pass = Effect.gen(function* () {
    const { keepLast, warning } = yield* readRetentionPolicy(configFile)
    yield* sweepOnce
    const runIds = yield* surplus(keepLast)
    const [failures] = yield* Effect.partition(runIds, (runId) => store.remove(runId))
    yield* Effect.ignore(index.remove(runIds))
    const warnings = [...(warning === undefined ? [] : [warning]), ...failures.map(({ message }) => message)]
    return { removed: runIds.length - failures.length, warnings }
  })

  return Retention.of({
    enforce: pass.pipe(
      Effect.catchAll(({ message }) => Effect.succeed<RetentionReport>({ removed: 0, warnings: [message] })),
      Effect.withSpan("Retention.enforce")
    )
  })
})

export const layer: Layer.Layer<Retention, never, Home | RunStore | RunIndex | RunMonitor> = Layer.effect(
  Retention,
  make
)
