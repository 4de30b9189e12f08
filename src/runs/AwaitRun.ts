/** A bounded wait for a run. Giving up is an answer, not an error, and never touches the run. */
import { Duration, Effect, Option, Ref, Stream } from "effect"
import { needsAttention } from "../domain/RunStatus.ts"
import { RunMonitor } from "./RunMonitor.ts"
import type { RunView } from "./RunView.ts"

/**
 * Waits until the run needs attention (it ended, or waits for a person) or until `timeout` passes, and gives the latest
 * view in both cases. `onChange` sees each view before the last one.
 */
export const awaitRun = Effect.fn("awaitRun")(function* (
  runId: string,
  timeout: Duration.DurationInput,
  onChange: (view: RunView) => Effect.Effect<void> = () => Effect.void
) {
  const monitor = yield* RunMonitor
  const latest = yield* Ref.make(yield* monitor.status(runId))
  yield* monitor.watch(runId).pipe(
    Stream.tap((view) => Ref.set(latest, view)),
    Stream.takeUntil((view) => needsAttention(view.status)),
    Stream.runForEach((view) => (needsAttention(view.status) ? Effect.void : onChange(view))),
    Effect.timeoutOption(timeout),
    Effect.map(Option.isSome)
  )
  return yield* Ref.get(latest)
})
