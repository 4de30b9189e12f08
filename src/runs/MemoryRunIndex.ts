/** The index in memory: for tests, and for a process that has to do without the shared one. */
import { Effect, HashMap, Layer, Option, Order, Ref } from "effect"
import type { RunId } from "../domain/RunId.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import { indexedStatus, RunIndex, type IndexedRun } from "./RunIndex.ts"
import type { RunFilter } from "./RunMonitor.ts"

interface Contents {
  readonly runs: HashMap.HashMap<RunId, IndexedRun>
  readonly comparedWith: Option.Option<string>
}

const newestFirst: Order.Order<IndexedRun> = Order.combine(
  Order.reverse(Order.mapInput(Order.string, ({ fold }: IndexedRun) => fold.spec.created_at)),
  Order.reverse(Order.mapInput(Order.string, ({ fold }: IndexedRun) => fold.spec.run_id))
)

const matches =
  ({ status, workflow }: RunFilter) =>
  (run: IndexedRun): boolean => {
    const { provenance, workflow: identity } = run.fold.spec
    const names = [run.fold.name ?? identity.name, identity.key, provenance.tool]
    return (
      (status === undefined || indexedStatus(run) === status) && (workflow === undefined || names.includes(workflow))
    )
  }

const withoutOutput = ({ fold: { output: _output, ...fold }, ...run }: IndexedRun): IndexedRun => ({ ...run, fold })

const isNewer = (run: IndexedRun, known: Option.Option<IndexedRun>): boolean =>
  Option.isNone(known) || run.end >= known.value.end

export const make = Effect.gen(function* () {
  const contents = yield* Ref.make<Contents>({ runs: HashMap.empty(), comparedWith: Option.none() })
  const runs = Effect.map(Ref.get(contents), (all) => all.runs)
  const updateRuns = (change: (known: Contents["runs"]) => Contents["runs"]) =>
    Ref.update(contents, (all) => ({ ...all, runs: change(all.runs) }))

  return RunIndex.of({
    get: (runId) => Effect.map(runs, HashMap.get(runId)),
    put: (fresh) =>
      updateRuns((known) =>
        fresh.reduce((all, run) => {
          const runId = run.fold.spec.run_id
          return isNewer(run, HashMap.get(all, runId)) ? HashMap.set(all, runId, run) : all
        }, known)
      ),
    remove: (runIds) => updateRuns((known) => HashMap.removeMany(known, runIds)),
    ids: Effect.map(runs, (all) => new Set(HashMap.keys(all))),
    unfinished: Effect.map(runs, (all) =>
      [...HashMap.entries(all)].flatMap(([runId, run]) =>
        isTerminal(indexedStatus(run)) ? [] : [{ runId, end: run.end }]
      )
    ),
    page: (filter) =>
      Effect.map(runs, (all) => {
        const found = [...HashMap.values(all)].filter(matches(filter)).sort(newestFirst)
        return {
          runs: found.slice(filter.offset, filter.offset + filter.limit).map(withoutOutput),
          total: found.length
        }
      }),
    comparedWith: Effect.map(Ref.get(contents), ({ comparedWith }) => comparedWith),
    setComparedWith: (revision) => Ref.update(contents, (all) => ({ ...all, comparedWith: Option.some(revision) })),
    notices: Effect.succeed([])
  })
})

export const layer: Layer.Layer<RunIndex> = Layer.effect(RunIndex, make)
