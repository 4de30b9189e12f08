/**
 * A server's tools over runs in memory: the real launcher, log, monitor and cancellation, with an engine whose run is told
 * by its inputs. `seconds` steps of one second each, then `output`, or a failure with the message `fail`.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Context, Duration, Effect, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Boundary } from "../../../src/boundary/Boundary.ts"
import { Redactor } from "../../../src/boundary/Redactor.ts"
import type { CatalogueContents, CatalogueEntry } from "../../../src/catalogue/CatalogueEntry.ts"
import { pinOf } from "../../../src/domain/Pin.ts"
import { get, isMap, type ValueMap } from "../../../src/domain/Value.ts"
import { Engine, type RunOutcome, type RunRequest } from "../../../src/engine/Engine.ts"
import { EventSink } from "../../../src/engine/EventSink.ts"
import { callTool, type ToolServices } from "../../../src/mcp/CallTool.ts"
import { RunAdmission } from "../../../src/mcp/RunAdmission.ts"
import { RunAnswers } from "../../../src/mcp/RunAnswers.ts"
import { ServeContext } from "../../../src/mcp/ServeContext.ts"
import type { ServeOptions } from "../../../src/mcp/ServeFlags.ts"
import type { JsonObject, ToolCall, ToolResult } from "../../../src/mcp/ToolSurface.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import * as InProcessRunLauncher from "../../../src/runs/InProcessRunLauncher.ts"
import * as LadderRunCancellation from "../../../src/runs/LadderRunCancellation.ts"
import * as LogRunMonitor from "../../../src/runs/LogRunMonitor.ts"
import * as MemoryEventLog from "../../../src/runs/MemoryEventLog.ts"
import * as MemoryRunInbox from "../../../src/runs/MemoryRunInbox.ts"
import * as MemoryRunIndex from "../../../src/runs/MemoryRunIndex.ts"
import * as MemoryRunStore from "../../../src/runs/MemoryRunStore.ts"
import * as RunCustody from "../../../src/runs/RunCustody.ts"
import * as RunProjection from "../../../src/runs/RunProjection.ts"
import { entry, options } from "./Samples.ts"

const workflow = `workflow:
  name: told
  entry_point: go
  input:
    seconds: { type: number, required: false }
    fail: { type: string, required: false }
    output: { type: object, required: false }
agents:
  - name: go
    type: set
    value: "1"
    routes: [{ to: $end }]
output: {}
`

const perform = ({ inputs, runId }: RunRequest) =>
  Effect.gen(function* () {
    const { append } = yield* EventSink
    const seconds = Number(get(inputs, "seconds") ?? 0)
    yield* append("workflow_started", {
      name: "told",
      version: "1",
      run_id: runId,
      entry_point: "go",
      agents: Array.from({ length: seconds }, (_, index): ValueMap => ({ name: `step ${index + 1}` })),
      parallel_groups: [],
      for_each_groups: [],
      routes: [],
      providers: {},
      log_file: "",
      metadata: {},
      inputs,
      system: {},
      max_iterations: 10
    })
    for (let step = 1; step <= seconds; step++) {
      const agent_name = `step ${step}`
      yield* append("agent_started", { agent_name, iteration: 1, agent_type: "set" })
      yield* append("set_started", { agent_name, iteration: step })
      yield* Effect.sleep(Duration.seconds(1))
      const output = { output_type: "str", output_keys: [], value_repr: "''", output: "" }
      yield* append("set_completed", { agent_name, elapsed: 1, ...output })
    }
    const message = get(inputs, "fail")
    if (typeof message === "string") {
      const failure = { error_type: "ScriptError", message, agent_name: "step 1" }
      yield* append("workflow_failed", { elapsed: seconds, ...failure })
      return { _tag: "Failed", errorType: "ScriptError", message, step: "step 1" } satisfies RunOutcome
    }
    const given = get(inputs, "output") ?? {}
    const output = isMap(given) ? given : {}
    yield* append("workflow_completed", { elapsed: seconds, output })
    return { _tag: "Completed", output } satisfies RunOutcome
  }).pipe(
    Effect.onInterrupt(() =>
      Effect.flatMap(EventSink, ({ append }) =>
        Effect.ignore(append("workflow_cancelled", { elapsed: 0, reason: "stopped", agent_name: null }))
      )
    )
  )

const engine = Layer.effect(
  Engine,
  Effect.map(EventSink, (sink) => ({ run: (request) => Effect.provideService(perform(request), EventSink, sink) }))
)

/** A workflow file of its own, so that the launcher's checks of files and pins are the real ones. */
class Folder extends Context.Tag("test/Folder")<Folder, string>() {
  static readonly layer = Layer.scoped(
    Folder,
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "conductor-mcp-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
  )
}

const inputSchema = {
  type: "object",
  properties: {
    seconds: { type: "number" },
    fail: { type: "string" },
    output: { type: "object" },
    _wait_seconds: { type: "number" }
  },
  additionalProperties: false
}

export const secret = "hunter2-hunter2-hunter2"

const runs = Layer.mergeAll(
  InProcessRunLauncher.layer(() => engine),
  LadderRunCancellation.layer
).pipe(
  Layer.provideMerge(LogRunMonitor.layer),
  Layer.provide(RunProjection.layer),
  Layer.provide(RunCustody.layerInProcess),
  Layer.provide(Layer.mergeAll(MemoryRunStore.layer, MemoryEventLog.layer, MemoryRunInbox.layer, MemoryRunIndex.layer)),
  Layer.provide(NodeContext.layer)
)

const boundary = Boundary.layer.pipe(Layer.provide(Redactor.layerWith([secret])))

export interface ServerSettings {
  readonly entries?: ReadonlyArray<Partial<CatalogueEntry>>
  readonly options?: Partial<ServeOptions>
  readonly mode?: CatalogueContents["mode"]
}

/** Serves `told` (asynchronous) and `told_sync`, or the given entries over the same workflow file. */
export const testServer = (settings: ServerSettings = {}): Layer.Layer<ToolServices> => {
  const context = Layer.effect(
    ServeContext,
    Effect.map(Folder, (folder) => {
      const file = join(folder, "told.yaml")
      writeFileSync(file, workflow)
      const wanted = settings.entries ?? [
        { tool: "told", mode: "async" },
        { tool: "told_sync", mode: "sync" }
      ]
      const entries = wanted.map((fields) =>
        entry({ file, pin: pinOf(workflow), key: "told", inputSchema, outputSchema: { type: "object" }, ...fields })
      )
      return {
        contents: { entries, excluded: [], collisions: [], warnings: [], mode: settings.mode ?? "direct" },
        options: options({ launchDirectory: folder, ...settings.options })
      }
    })
  )
  return Layer.mergeAll(RunAdmission.layer, RunAnswers.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(runs, boundary)),
    Layer.provideMerge(context),
    Layer.provide(Folder.layer),
    Layer.provide(Environment.layerOf({}))
  )
}

export const call = (
  name: string,
  given: JsonObject = {},
  more: Partial<ToolCall> = {}
): Effect.Effect<ToolResult, never, ToolServices> =>
  callTool({ name, arguments: given, signal: new AbortController().signal, ...more })
