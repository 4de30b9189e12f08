/** What goes and what stays when there are too many runs. */
import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { Home } from "../../../src/platform/Home.ts"
import { identify } from "../../../src/platform/ProcessIdentity.ts"
import { EventLog } from "../../../src/runs/EventLog.ts"
import * as Retention from "../../../src/runs/Retention.ts"
import { readRetentionPolicy } from "../../../src/runs/RetentionPolicy.ts"
import { layerRecords } from "../../../src/runs/RunsLive.ts"
import { RunMonitor } from "../../../src/runs/RunMonitor.ts"
import { RunStore } from "../../../src/runs/RunStore.ts"
import { draft, startedData } from "../../support/runs/Specs.ts"
import { homeInWorkspace, Workspace } from "../../support/runs/Workspace.ts"

const layer = Retention.layer.pipe(
  Layer.provideMerge(layerRecords),
  Layer.provideMerge(homeInWorkspace),
  Layer.provideMerge(Workspace.layer)
)

/** Runs are ordered by the millisecond of their creation. */
const nextMillisecond = Effect.flatMap(Clock.currentTimeMillis, (now) =>
  Effect.repeat(Clock.currentTimeMillis, { until: (later) => later > now })
)

const newRun = (end: "finished" | "going on") =>
  Effect.gen(function* () {
    yield* nextMillisecond
    const store = yield* RunStore
    const { run_id } = yield* store.create(draft, Buffer.from("text"))
    const self = yield* Effect.filterOrDieMessage(identify(process.pid), (found) => found !== undefined, "no process")
    yield* store.recordProcess(run_id, { process: self, launched_at: "2026-01-01T00:00:00.000Z" })
    const writer = yield* Effect.flatMap(EventLog, (log) => log.write(run_id))
    yield* writer.append("workflow_started", startedData)
    if (end === "finished") yield* writer.append("workflow_completed", { elapsed: 1, output: {} })
    return run_id
  }).pipe(Effect.scoped)

const configure = (text: string) => Effect.map(Home, ({ configFile }) => writeFileSync(configFile, text))

describe("retention", () => {
  it.live("removes the oldest finished runs beyond the number, and never one that goes on", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      const monitor = yield* RunMonitor
      const oldest = yield* newRun("going on")
      yield* newRun("finished")
      yield* newRun("finished")
      const kept = [yield* newRun("finished"), yield* newRun("finished")]
      yield* configure("[fleet.retention]\nkeep_last = 2\n")
      const retention = yield* Retention.Retention
      expect(yield* retention.enforce).toEqual({ removed: 2, warnings: [] })
      expect([...(yield* store.ids)].sort()).toEqual([oldest, ...kept].sort())
      expect(yield* monitor.list({ limit: 10, offset: 0 })).toMatchObject({ total: 3, warnings: [] })
      expect(yield* retention.enforce).toEqual({ removed: 0, warnings: [] })
    }).pipe(Effect.provide(layer))
  )

  it.live("removes nothing when its settings cannot be understood, and says so", () =>
    Effect.gen(function* () {
      const store = yield* RunStore
      yield* newRun("finished")
      yield* newRun("finished")
      yield* configure("[fleet.retention]\nenabled = 1\nkeep_last = 1\n")
      const report = yield* Effect.flatMap(Retention.Retention, (retention) => retention.enforce)
      expect(report).toMatchObject({ removed: 0, warnings: [expect.stringContaining("config.toml")] })
      expect(yield* store.ids).toHaveLength(2)
    }).pipe(Effect.provide(layer))
  )

  it.live.each([
    { text: "", keepLast: 200 },
    { text: "[fleet]\nother = 1\n", keepLast: 200 },
    { text: "[fleet.retention]\nkeep_last = 7\n", keepLast: 7 },
    { text: "[fleet.retention]\nkeep_last = 0\n", keepLast: Infinity },
    { text: "[fleet.retention]\nenabled = false\nkeep_last = 7\n", keepLast: Infinity }
  ])("keeps $keepLast runs for $text", ({ keepLast, text }) =>
    Effect.gen(function* () {
      const { write } = yield* Workspace
      expect(yield* readRetentionPolicy(yield* write("config.toml", text))).toEqual({ keepLast })
    }).pipe(Effect.provide(Workspace.layer))
  )
})
