/**
 * Answers for runs from their logs, with the index for lists. Whatever is wrong with the index is told as a warning and
 * costs time, never an answer.
 */
import { Effect, Layer, Option, Ref, Stream } from "effect"
import { isRunId, type RunId } from "../domain/RunId.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import { EventLog } from "./EventLog.ts"
import { makeSynchronise } from "./IndexSynchronisation.ts"
import * as MemoryRunIndex from "./MemoryRunIndex.ts"
import { RunNotFound } from "./RunErrors.ts"
import { RunIndex, type RunIndexError } from "./RunIndex.ts"
import { RunMonitor, type RunFilter } from "./RunMonitor.ts"
import { RunProjection } from "./RunProjection.ts"
import type { RunStore } from "./RunStore.ts"
import type { RunView } from "./RunView.ts"
import { streamSlices } from "./Slices.ts"

/** Whether two views of a run differ in more than the moment they were made. */
const sameView = (one: RunView, other: RunView): boolean =>
  one.lastEvent?.seq === other.lastEvent?.seq &&
  one.status === other.status &&
  one.pid === other.pid &&
  one.warnings.length === other.warnings.length

const make = Effect.gen(function* () {
  const log = yield* EventLog
  const index = yield* RunIndex
  const projection = yield* RunProjection
  const synchronise = yield* makeSynchronise
  /** Takes over, and is filled from the logs, as long as the shared index cannot be used. */
  const substitute = yield* MemoryRunIndex.make

  const named = (runId: string): Effect.Effect<RunId, RunNotFound> =>
    isRunId(runId) ? Effect.succeed(runId) : Effect.fail(new RunNotFound({ runId }))

  const project = (runId: RunId) => projection.project(runId, Effect.orElseSucceed(index.get(runId), Option.none))

  const views = (runId: RunId) =>
    Stream.mapEffect(log.changes(runId), () => Effect.map(project(runId), ({ view }) => view))

  const untilOver = <E, R>(stream: Stream.Stream<RunView, E, R>) =>
    Stream.takeUntil(stream, ({ status }) => isTerminal(status))

  const pageFrom = (from: RunIndex["Type"], filter: RunFilter) =>
    Effect.gen(function* () {
      const warnings = yield* synchronise(from)
      const page = yield* from.page(filter)
      const notices = yield* from.notices
      return { runs: page.runs.map(projection.viewOf), total: page.total, warnings: [...notices, ...warnings] }
    })

  const withoutIndex = (filter: RunFilter) => (error: RunIndexError) =>
    pageFrom(substitute, filter).pipe(
      Effect.map((page) => ({ ...page, warnings: [error.message, ...page.warnings] })),
      Effect.catchTag("RunIndexError", Effect.die)
    )

  return RunMonitor.of({
    status: Effect.fn("RunMonitor.status")(function* (runId) {
      return (yield* project(yield* named(runId))).view
    }),
    watch: (runId) =>
      Stream.unwrap(Effect.map(named(runId), (id) => views(id).pipe(Stream.changesWith(sameView), untilOver))),
    events: (runId, fromSeq) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const id = yield* named(runId)
          const position = yield* Ref.make(0)
          // The view comes before the events are read, so those of a run that is over are complete.
          return untilOver(views(id)).pipe(
            Stream.flatMap(() =>
              Stream.unwrap(
                Effect.map(Ref.get(position), (from) => streamSlices((position) => log.read(id, position), from))
              )
            ),
            Stream.tap(({ end }) => Ref.set(position, end)),
            Stream.mapConcat(({ events }) => events.filter(({ seq }) => seq >= fromSeq))
          )
        })
      ),
    list: Effect.fn("RunMonitor.list")(function* (filter) {
      return yield* Effect.catchTag(pageFrom(index, filter), "RunIndexError", withoutIndex(filter))
    })
  })
})

export const layer: Layer.Layer<RunMonitor, never, RunStore | EventLog | RunIndex | RunProjection> = Layer.effect(
  RunMonitor,
  make
)
