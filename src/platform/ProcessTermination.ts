/**
 * Ends a process group and, when asked, every process that carries the group's marker: TERM first, KILL for what is
 * left. It returns when they are gone; what not even KILL ends (a process stuck in the kernel) is left after two seconds.
 */
import { Duration, Effect, Schedule } from "effect"
import { groupAddress, groupRuns, signal } from "./ProcessGroup.ts"
import { findMarked } from "./ProcessMarker.ts"

export interface TerminationTarget {
  /** The number of the process group. */
  readonly group: number
  /** Also ends what left the group but carries this marker. */
  readonly marker?: string
}

const KILL_LIMIT = Duration.seconds(2)

const POLL = Schedule.exponential("5 millis", 1.5).pipe(Schedule.union(Schedule.spaced("100 millis")))

const living = ({ group, marker }: TerminationTarget): ReadonlyArray<number> => [
  ...(groupRuns(group) ? [groupAddress(group)] : []),
  ...(marker === undefined ? [] : findMarked(marker))
]

/** Sends to all that live; true when somebody was there to get it. */
const signalAll = (target: TerminationTarget, name: NodeJS.Signals): Effect.Effect<boolean> =>
  Effect.sync(() =>
    living(target)
      .map((pid) => signal(pid, name))
      .includes(true)
  )

// Limits are part of the schedules: this runs in finalizers, where a timeout has nothing that it could interrupt.
const untilGone = (target: TerminationTarget, limit: Duration.DurationInput) =>
  Effect.sync(() => living(target).length === 0).pipe(
    Effect.repeat({ schedule: Schedule.upTo(POLL, limit), until: (gone) => gone })
  )

/** KILL again and again: a process may have forked between the look and the blow. */
const killUntilGone = (target: TerminationTarget) =>
  signalAll(target, "SIGKILL").pipe(
    Effect.repeat({ schedule: Schedule.upTo(POLL, KILL_LIMIT), until: (found) => !found })
  )

export const terminate = Effect.fn("ProcessTermination.terminate")(function* (
  target: TerminationTarget,
  killAfter: Duration.DurationInput
) {
  if (!(yield* signalAll(target, "SIGTERM"))) return
  yield* untilGone(target, killAfter)
  yield* killUntilGone(target)
})
