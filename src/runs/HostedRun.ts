/**
 * What the process of a run goes to work with: the workflow loaded from the originals or from the copy that the run keeps, and
 * the places of the files. What was not kept yet is kept before anything runs.
 */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import type { SecretPlaceholders } from "../boundary/SecretPlaceholders.ts"
import { isNested, type RunEvent } from "../domain/RunEvent.ts"
import type { RunId } from "../domain/RunId.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { RunRequest } from "../engine/Engine.ts"
import * as FileWorkflowResolver from "../engine/FileWorkflowResolver.ts"
import { WorkflowResolver } from "../engine/WorkflowResolver.ts"
import { PluginSources, type PluginSourcesShape } from "../language/plugins/PluginSources.ts"
import { readPinnedCopy } from "./PinnedCopy.ts"
import { withPinnedFiles } from "./PinnedFileSystem.ts"
import { withPinnedSources } from "./PinnedSources.ts"
import { prepareRun } from "./PrepareRun.ts"
import { LaunchError } from "./RunErrors.ts"
import { readHistory } from "./RunHistory.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore } from "./RunStore.ts"
import { presentPins } from "./WorkflowPins.ts"

export interface HostedRun {
  readonly request: RunRequest
  readonly secrets: SecretPlaceholders
  /** As the run sees them. */
  readonly files: FileSystem
  readonly resolver: WorkflowResolver["Type"]
  readonly sources: PluginSourcesShape
}

const systemFacts = (spec: RunSpec, startedAt: string): ValueMap => ({
  pid: process.pid,
  platform: process.platform,
  node_version: process.version,
  cwd: process.cwd(),
  started_at: startedAt,
  run_id: spec.run_id
})

/** Which files a run that has a history goes on with: the copy that it keeps, or the originals as they are now. */
export type WorkflowChoice = "pinned" | "present"

/** A log may well be cut off behind the end of a sub-workflow. */
const hasCompleted = (history: ReadonlyArray<RunEvent>): boolean => {
  const last = history.at(-1)
  return last?.type === "workflow_completed" && !isNested(last)
}

const alreadyCompleted = (runId: RunId) =>
  new LaunchError({ reason: "process", message: `Run ${runId} has completed meanwhile.`, runId })

/** Loads the workflow with all that it is made of, and keeps copies of what the run has no copy of yet. */
export const prepareHosted = Effect.fn("HostedRun.prepare")(function* (
  runId: RunId,
  choice: WorkflowChoice,
  startedAt: string
) {
  const store = yield* RunStore
  const real = yield* FileSystem
  const spec = yield* store.spec(runId)
  const told = { system: systemFacts(spec, startedAt), logFile: store.files(runId).events }
  const history = yield* readHistory(runId)
  if (hasCompleted(history)) return yield* alreadyCompleted(runId)
  if (choice === "present" || history.length === 0) {
    const resolver = yield* FileWorkflowResolver.make()
    const changed = choice === "present" ? { history, pin: Option.none() } : {}
    const { included, request, secrets, workflow } = yield* prepareRun(spec, { ...told, ...changed }).pipe(
      Effect.provideService(WorkflowResolver, resolver)
    )
    yield* store.pin(runId, choice === "present" ? [workflow, ...included] : included)
    return { request, secrets, files: real, resolver, sources: yield* PluginSources } satisfies HostedRun
  }
  const pins = presentPins(spec, history)
  const copy = yield* readPinnedCopy(
    spec,
    pins,
    `'conductor resume ${runId} --accept-change' goes on with the present file instead.`
  )
  const files = withPinnedFiles(real, [copy.workflow, ...copy.included])
  return yield* Effect.gen(function* () {
    const resolver = yield* FileWorkflowResolver.make(pins.references)
    const sources = yield* withPinnedSources(pins.sources)
    const { included, request, secrets } = yield* prepareRun(spec, {
      ...told,
      history,
      pin: Option.some(pins.workflow)
    }).pipe(Effect.provideService(WorkflowResolver, resolver), Effect.provideService(PluginSources, sources))
    // What was missing when the run began, and is told of from now on.
    const added = included.filter(({ path }) => !Object.hasOwn(pins.included, path))
    yield* store.pin(runId, added)
    return { request, secrets, files, resolver, sources } satisfies HostedRun
  }).pipe(Effect.provideService(FileSystem, files))
})
