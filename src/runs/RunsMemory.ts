/** The services of this room inside one process, wired together: for tests, and for users who test their workflows. */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Layer } from "effect"
import type { Environment } from "../platform/Environment.ts"
import * as InProcessRunLauncher from "./InProcessRunLauncher.ts"
import * as LadderRunCancellation from "./LadderRunCancellation.ts"
import type { RunRecords } from "./RunsLive.ts"
import * as LogRunMonitor from "./LogRunMonitor.ts"
import * as MemoryEventLog from "./MemoryEventLog.ts"
import * as MemoryRunInbox from "./MemoryRunInbox.ts"
import * as MemoryRunIndex from "./MemoryRunIndex.ts"
import * as MemoryRunStore from "./MemoryRunStore.ts"
import type { RunCancellation } from "./RunCancellation.ts"
import * as RunCustody from "./RunCustody.ts"
import type { RunLauncher } from "./RunLauncher.ts"
import * as RunGates from "./RunGates.ts"
import * as RunProjection from "./RunProjection.ts"

const memory = Layer.mergeAll(
  MemoryRunStore.layer,
  MemoryEventLog.layer,
  MemoryRunInbox.layer,
  MemoryRunIndex.layer,
  RunCustody.layerInProcess
)

const layerRecords: Layer.Layer<RunRecords> = LogRunMonitor.layer.pipe(
  Layer.provideMerge(RunProjection.layer),
  Layer.provideMerge(memory)
)

export const layer = (
  engineFor: InProcessRunLauncher.EngineFor
): Layer.Layer<
  RunRecords | RunLauncher | RunCancellation | RunGates.RunGates,
  never,
  FileSystem | Path | Environment
> =>
  Layer.mergeAll(InProcessRunLauncher.layer(engineFor), LadderRunCancellation.layer, RunGates.layer).pipe(
    Layer.provideMerge(layerRecords)
  )
