/**
 * Tells a caller how far a run is while it waits: sparsely, with growing numbers, and never together with the result,
 * which some hosts take for a broken connection (mcp hosts §4.2, §5 item 30).
 */
import { Clock, Duration, Effect, Ref } from "effect"
import type { RunView } from "../runs/RunView.ts"
import { stepCounts } from "../runs/StepCounts.ts"
import type { ReportProgress } from "./ToolSurface.ts"

const interval = Duration.seconds(1)
/** Milliseconds without any news after which the caller hears that the run still goes on. */
const heartbeat = 15_000
/** Milliseconds between a message and the result after it. */
const settling = 50

/** The last message: before the first one, what the wait began with. */
interface Sent {
  readonly at: number
  readonly step: string | null
  readonly completed: number
  /** Messages since the number of completed steps last grew. */
  readonly repeats: number
}

interface ProgressReport {
  /** Takes note of the newest view; what is told, and when, is not the caller's business. */
  readonly update: (view: RunView) => Effect.Effect<void>
  /** Tells until it is interrupted. */
  readonly run: Effect.Effect<never>
  /** Waits until the last message is old enough for the result to follow. */
  readonly settle: Effect.Effect<void>
}

/** Steps done, and a fraction that grows with each message but never reaches the next step. */
const position = ({ completed, repeats }: Sent): number => completed + 1 - 1 / (repeats + 1)

const messageOf = (view: RunView, clean: (text: string) => string): string => {
  const { step } = view.progress
  return step === null ? `${view.runId}: ${stepCounts(view)}` : `${view.runId}: ${clean(step)}, ${stepCounts(view)}`
}

export const makeProgressReport = Effect.fn("makeProgressReport")(function* (
  first: RunView,
  report: ReportProgress,
  clean: (text: string) => string
) {
  const latest = yield* Ref.make(first)
  const sent = yield* Ref.make<Sent>({
    at: Number.NEGATIVE_INFINITY,
    step: first.progress.step,
    completed: first.progress.stepsCompleted,
    repeats: 0
  })

  const tell = Effect.gen(function* () {
    const view = yield* Ref.get(latest)
    const before = yield* Ref.get(sent)
    const now = yield* Clock.currentTimeMillis
    const completed = Math.max(before.completed, view.progress.stepsCompleted)
    const isNews = completed > before.completed || view.progress.step !== before.step
    if (!isNews && now - before.at < heartbeat) return
    const after: Sent = {
      at: now,
      step: view.progress.step,
      completed,
      repeats: completed > before.completed ? 0 : before.repeats + 1
    }
    yield* Ref.set(sent, after)
    const progress = position(after)
    const total = view.progress.stepsTotal > progress ? view.progress.stepsTotal : undefined
    yield* Effect.sync(() => report(progress, total, messageOf(view, clean)))
  })

  return {
    update: (view) => Ref.set(latest, view),
    run: Effect.forever(Effect.zipRight(Effect.sleep(interval), tell)),
    settle: Effect.gen(function* () {
      const since = (yield* Clock.currentTimeMillis) - (yield* Ref.get(sent)).at
      if (since < settling) yield* Effect.sleep(settling - since)
    })
  } satisfies ProgressReport
})
