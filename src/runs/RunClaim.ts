/**
 * How a process takes a run for itself. Of many that try, one gets it; none gets a run whose last process is not proven
 * dead. This, and not the care of whoever starts processes, is why a log has one writer.
 */
import { Effect, Option } from "effect"
import { join } from "node:path"
import type { RunId } from "../domain/RunId.ts"
import { withFileLock } from "../platform/FileLock.ts"
import { liveness } from "../platform/ProcessIdentity.ts"
import type { ProcessRecord } from "./ProcessRecord.ts"
import { LaunchError, type RunStoreError } from "./RunErrors.ts"
import { RunStore } from "./RunStore.ts"

const held = (runId: RunId, pid: number) =>
  new LaunchError({
    reason: "process",
    message: `Run ${runId} is held by process ${pid}, which has not ended. Nothing was done to the run.`,
    runId
  })

const storage = ({ message }: { readonly message: string }) => new LaunchError({ reason: "storage", message })

/** Answers with the record of the process that had the run before. */
export const claimRun = Effect.fn("RunClaim.claim")(function* (runId: RunId, record: ProcessRecord) {
  const store = yield* RunStore
  const claim: Effect.Effect<Option.Option<ProcessRecord>, LaunchError | RunStoreError> = Effect.gen(function* () {
    const previous = yield* store.process(runId)
    if (Option.isSome(previous) && (yield* liveness(previous.value.process)) !== "gone") {
      return yield* held(runId, previous.value.process.pid)
    }
    yield* store.recordProcess(runId, record)
    return previous
  })
  return yield* withFileLock(join(store.files(runId).directory, "process.lock"))(claim).pipe(
    Effect.catchTags({ FileError: storage, LockBusy: storage, RunStoreError: storage })
  )
})
