/** The shortest way from a workflow file to what became of it. */
import { Effect, type Duration } from "effect"
import { basename, extname, resolve } from "node:path"
import type { ValueMap } from "../domain/Value.ts"
import { awaitRun } from "../runs/AwaitRun.ts"
import { RunLauncher } from "../runs/RunLauncher.ts"

export interface RunWorkflowOptions {
  readonly inputs?: ValueMap
  /** Replaces the workflow's own choice of model provider. */
  readonly provider?: string
  /** How long to wait; the run goes on after it. A minute unless said otherwise. */
  readonly timeout?: Duration.DurationInput
  /** Left out: the working directory of this program. */
  readonly launchDirectory?: string
}

/**
 * Starts a run and waits for it. A workflow that fails is an answer, with status `failed`, and so is one that takes
 * longer than `timeout`, with status `running`; an error means that no run was started.
 */
export const runWorkflow = Effect.fn("runWorkflow")(function* (file: string, options: RunWorkflowOptions = {}) {
  const launcher = yield* RunLauncher
  const path = resolve(file)
  const { runId } = yield* launcher.launch({
    file: path,
    registry: "file",
    key: basename(path, extname(path)),
    inputs: options.inputs ?? {},
    metadata: {},
    launchDirectory: options.launchDirectory ?? process.cwd(),
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    provenance: { via: "library" }
  })
  return yield* awaitRun(runId, options.timeout ?? "1 minute")
})
