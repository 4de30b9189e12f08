/** The copies of a workflow's files that a run keeps, read back and proven to be what they were. */
import { Effect, Option } from "effect"
import { pinOf, type Pin } from "../domain/Pin.ts"
import { LaunchError } from "./RunErrors.ts"
import type { RunSpec } from "./RunSpec.ts"
import { RunStore, type PinnedFile } from "./RunStore.ts"
import type { WorkflowPins } from "./WorkflowPins.ts"

interface PinnedCopy {
  readonly workflow: PinnedFile
  readonly included: ReadonlyArray<PinnedFile>
}

const unusable = ({ run_id }: RunSpec, path: string, fault: string, remedy: string) =>
  new LaunchError({
    reason: "drift",
    message: `The copy of ${path} that run ${run_id} keeps ${fault}. ${remedy}`,
    runId: run_id
  })

/** `remedy`: a sentence for whoever reads the error. Fails with reason `drift` when a copy is missing or has other bytes than its pin says. */
export const readPinnedCopy = Effect.fn("PinnedCopy.read")(function* (
  spec: RunSpec,
  pins: WorkflowPins,
  remedy: string
) {
  const store = yield* RunStore
  const read = Effect.fnUntraced(function* (path: string, pin: Pin) {
    const content = yield* store.pinned(spec.run_id, path)
    if (Option.isNone(content)) return yield* unusable(spec, path, "is missing", remedy)
    if (pinOf(content.value) !== pin)
      return yield* unusable(spec, path, "is damaged: it is not what the run ran", remedy)
    return { path, content: content.value } satisfies PinnedFile
  })
  return {
    workflow: yield* read(spec.workflow.file, pins.workflow),
    included: yield* Effect.forEach(Object.entries(pins.included), ([path, pin]) => read(path, pin))
  } satisfies PinnedCopy
})
