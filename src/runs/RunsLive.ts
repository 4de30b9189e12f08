/** The services of this room over files and processes, wired together. Light to load: no language, engine or database. */
import { Layer } from "effect"
import { Home } from "../platform/Home.ts"
import * as DetachedRunLauncher from "./DetachedRunLauncher.ts"
import type { EventLog } from "./EventLog.ts"
import * as DetachedRunResumption from "./DetachedRunResumption.ts"
import * as FileEventLog from "./FileEventLog.ts"
import * as FileRunInbox from "./FileRunInbox.ts"
import * as FileRunStore from "./FileRunStore.ts"
import * as LadderRunCancellation from "./LadderRunCancellation.ts"
import * as LogRunMonitor from "./LogRunMonitor.ts"
import * as Retention from "./Retention.ts"
import type { RunCancellation } from "./RunCancellation.ts"
import * as RunCustody from "./RunCustody.ts"
import { RunEntry } from "./RunEntry.ts"
import type { RunInbox } from "./RunInbox.ts"
import type { RunIndex } from "./RunIndex.ts"
import type { RunLauncher } from "./RunLauncher.ts"
import type { RunMonitor } from "./RunMonitor.ts"
import * as RunGates from "./RunGates.ts"
import * as RunProjection from "./RunProjection.ts"
import type { RunResumption } from "./RunResumption.ts"
import type { RunStore } from "./RunStore.ts"
import * as SqlRunIndex from "./SqlRunIndex.ts"

export type RunRecords =
  RunStore | EventLog | RunInbox | RunIndex | RunCustody.RunCustody | RunProjection.RunProjection | RunMonitor

const files = Layer.mergeAll(FileRunStore.layer, FileEventLog.layer, FileRunInbox.layer, SqlRunIndex.layer)

/** Everything that only looks. */
export const layerRecords: Layer.Layer<RunRecords, never, Home> = LogRunMonitor.layer.pipe(
  Layer.provideMerge(RunProjection.layer),
  Layer.provideMerge(RunCustody.layer),
  Layer.provideMerge(files)
)

/** Everything. `RunEntry` says how the process of a run is started. */
export const layer: Layer.Layer<
  RunRecords | RunLauncher | RunResumption | RunCancellation | RunGates.RunGates | Retention.Retention,
  never,
  Home | RunEntry
> = Layer.mergeAll(
  DetachedRunLauncher.layer,
  DetachedRunResumption.layer,
  LadderRunCancellation.layer,
  RunGates.layer
).pipe(Layer.provideMerge(Retention.layer), Layer.provideMerge(layerRecords))

/** The runs of the home that the environment names, started as this program. */
export const RunsLive = layer.pipe(Layer.provide(Layer.merge(Home.layer, RunEntry.layerSelf)))
