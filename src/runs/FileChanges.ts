/**
 * Says when a file may have changed. The system's notices are quick but can be missing (network file systems, a file
 * that is not there yet), so a slow poll stands behind them; a tick therefore promises nothing but "look again".
 */
import { Effect, Schedule, Stream } from "effect"
import { watch } from "node:fs"

const pollInterval = "500 millis"

const notices = (path: string): Stream.Stream<void> =>
  Stream.asyncPush<void>(
    (emit) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          try {
            const watcher = watch(path, { persistent: false }, () => emit.single(undefined))
            return watcher.on("error", () => watcher.close())
          } catch {
            return undefined
          }
        }),
        (watcher) => Effect.sync(() => watcher?.close())
      ),
    { bufferSize: 1, strategy: "sliding" }
  )

/** One tick at once, then one after each change. Ticks that nobody has taken yet are merged into one. Never ends. */
export const fileChanges = (path: string): Stream.Stream<void> =>
  Stream.merge(notices(path), Stream.repeatEffectWithSchedule(Effect.void, Schedule.spaced(pollInterval))).pipe(
    Stream.buffer({ capacity: 1, strategy: "sliding" })
  )
