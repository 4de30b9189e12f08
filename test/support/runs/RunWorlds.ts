/** The worlds that a run can live in. A promise about runs is tested in each of them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Layer } from "effect"
import { AgentProviders, providerUnavailable } from "../../../src/agents/AgentProvider.ts"
import { EngineLive } from "../../../src/engine/EngineLive.ts"
import * as FileWorkflowResolver from "../../../src/engine/FileWorkflowResolver.ts"
import { Environment } from "../../../src/platform/Environment.ts"
import { ProcessRunner } from "../../../src/platform/ProcessRunner.ts"
import type { RunRecords } from "../../../src/runs/RunsLive.ts"
import * as RunsLive from "../../../src/runs/RunsLive.ts"
import * as RunsMemory from "../../../src/runs/RunsMemory.ts"
import type { RunCancellation } from "../../../src/runs/RunCancellation.ts"
import { RunEntry } from "../../../src/runs/RunEntry.ts"
import type { RunGates } from "../../../src/runs/RunGates.ts"
import type { RunLauncher } from "../../../src/runs/RunLauncher.ts"
import { runProgram } from "./RunProgram.ts"
import { homeInWorkspace, Workspace } from "./Workspace.ts"

export interface RunWorld {
  readonly name: string
  readonly layer: Layer.Layer<RunRecords | RunLauncher | RunCancellation | RunGates | Workspace>
}

const noProviders = Layer.succeed(AgentProviders, {
  available: [],
  get: (name) => Effect.fail(providerUnavailable(name, []))
})

const platform = Layer.merge(NodeContext.layer, Environment.layerProcess)

const inProcess = RunsMemory.layer(({ runId }) =>
  EngineLive.pipe(
    Layer.provide([noProviders, ProcessRunner.layer({ runId }), FileWorkflowResolver.layer]),
    Layer.provide(platform)
  )
).pipe(Layer.provide(platform), Layer.merge(Workspace.layer))

const bundledEntry = Layer.unwrapEffect(
  Effect.map(runProgram, (script) => RunEntry.layerOf(process.execPath, [script]))
)

export const detached = RunsLive.layer.pipe(
  Layer.provideMerge(bundledEntry),
  Layer.provideMerge(homeInWorkspace),
  Layer.provideMerge(Workspace.layer)
)

export const runWorlds: ReadonlyArray<RunWorld> = [
  { name: "in this process", layer: inProcess },
  { name: "in a detached process", layer: detached }
]
