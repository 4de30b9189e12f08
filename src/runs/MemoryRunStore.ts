/** The run store in memory, for tests and for runs that nobody needs to find again. Its file names lead nowhere. */
import { DateTime, Effect, HashMap, Layer, Option, Ref } from "effect"
import { mintRunId, type RunId } from "../domain/RunId.ts"
import type { ProcessRecord } from "./ProcessRecord.ts"
import { RunNotFound } from "./RunErrors.ts"
import { runFiles } from "./RunFiles.ts"
import { RunSpec } from "./RunSpec.ts"
import { RunStore, type PinnedFile } from "./RunStore.ts"

interface StoredRun {
  readonly spec: RunSpec
  readonly process: Option.Option<ProcessRecord>
  readonly copies: HashMap.HashMap<string, Uint8Array>
}

interface Contents {
  readonly runs: HashMap.HashMap<RunId, StoredRun>
  readonly revision: number
}

const change = (contents: Contents, runs: Contents["runs"]): Contents => ({ runs, revision: contents.revision + 1 })

const withCopies =
  (files: ReadonlyArray<PinnedFile>) =>
  (run: StoredRun): StoredRun => ({
    ...run,
    copies: files.reduce((copies, { content, path }) => HashMap.set(copies, path, content), run.copies)
  })

const make = Effect.gen(function* () {
  const contents = yield* Ref.make<Contents>({ runs: HashMap.empty(), revision: 0 })

  const find = (runId: RunId) =>
    Ref.get(contents).pipe(
      Effect.flatMap(({ runs }) => HashMap.get(runs, runId)),
      Effect.mapError(() => new RunNotFound({ runId }))
    )

  return RunStore.of({
    create: (draft, workflow) =>
      Effect.gen(function* () {
        const created_at = DateTime.formatIso(yield* DateTime.now)
        const spec = RunSpec.make({ ...draft, version: 1, run_id: mintRunId(), created_at })
        yield* Ref.update(contents, (all) =>
          change(
            all,
            HashMap.set(all.runs, spec.run_id, {
              spec,
              process: Option.none(),
              copies: HashMap.make([spec.workflow.file, workflow])
            })
          )
        )
        return spec
      }),
    pin: (runId, files) =>
      Effect.zipRight(
        find(runId),
        Ref.update(contents, ({ revision, runs }) => ({
          revision,
          runs: HashMap.modify(runs, runId, withCopies(files))
        }))
      ),
    pinned: (runId, path) => Effect.map(find(runId), ({ copies }) => HashMap.get(copies, path)),
    spec: (runId) => Effect.map(find(runId), ({ spec }) => spec),
    recordProcess: (runId, process) =>
      Ref.update(contents, ({ revision, runs }) => ({
        revision,
        runs: HashMap.modify(runs, runId, (run) => ({ ...run, process: Option.some(process) }))
      })),
    process: (runId) =>
      Effect.orElseSucceed(
        Effect.map(find(runId), ({ process }) => process),
        Option.none
      ),
    ids: Effect.map(Ref.get(contents), ({ runs }) => [...HashMap.keys(runs)]),
    revision: Effect.map(Ref.get(contents), ({ revision }) => Option.some(String(revision))),
    remove: (runId) => Ref.update(contents, (all) => change(all, HashMap.remove(all.runs, runId))),
    sweep: Effect.void,
    files: (runId) => runFiles("(in memory)", runId)
  })
})

export const layer: Layer.Layer<RunStore> = Layer.effect(RunStore, make)
