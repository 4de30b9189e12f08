/** A world for tests of workflows: the real engine in this process, scripted agents, and runs that are kept in memory. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Effect, Layer } from "effect"
import type { AgentProviders } from "../agents/AgentProvider.ts"
import { ScriptedAgents, type ScriptedCalls } from "../agents/ScriptedProvider.ts"
import type { AgentScript } from "../agents/ScriptedResponse.ts"
import { EngineLive } from "../engine/EngineLive.ts"
import * as FileWorkflowResolver from "../engine/FileWorkflowResolver.ts"
import { Environment } from "../platform/Environment.ts"
import type { ProcessError } from "../platform/ProcessError.ts"
import { ProcessRunner, type ProcessResult, type ProcessSpec } from "../platform/ProcessRunner.ts"
import type { RunCancellation } from "../runs/RunCancellation.ts"
import type { RunGates } from "../runs/RunGates.ts"
import type { RunLauncher } from "../runs/RunLauncher.ts"
import type { RunRecords } from "../runs/RunsLive.ts"
import * as RunsMemory from "../runs/RunsMemory.ts"
import { ScriptedToolServers, type ToolScript } from "../tools/ScriptedToolServers.ts"

export interface TestWorkflowsOptions {
  /** What each agent step answers, call by call; the last answer repeats. A step that is not there echoes its prompt. */
  readonly agents?: AgentScript
  /** What the tools of each MCP server answer. A server that is not there cannot be reached. */
  readonly tools?: ToolScript
  /** Answers every command of a script step. Left out: commands are run for real. */
  readonly processes?: (spec: ProcessSpec) => Effect.Effect<ProcessResult, ProcessError>
  /** The environment variables that workflows and scripts see. Left out: those of this process. */
  readonly environment?: Readonly<Record<string, string>>
}

type EngineServices = AgentProviders | ProcessRunner | Environment | FileSystem | Path

const engine = Effect.map(Effect.context<EngineServices>(), (context) => {
  // The same services for every run of a test, so that the calls of all of them are counted in one place.
  const services = Layer.succeedContext(context)
  const resolver = FileWorkflowResolver.layer.pipe(Layer.provide(services))
  return EngineLive.pipe(Layer.provide([services, resolver]))
})

/** Nothing of it reaches the network, and nothing is kept on the disk. Runs end with the scope of the layer. */
export const testWorkflows = ({
  agents = {},
  environment,
  processes,
  tools = {}
}: TestWorkflowsOptions = {}): Layer.Layer<
  | RunRecords
  | RunLauncher
  | RunCancellation
  | RunGates
  | AgentProviders
  | ScriptedCalls
  | ProcessRunner
  | Environment
  | FileSystem
  | Path
> =>
  Layer.unwrapEffect(Effect.map(engine, (layer) => RunsMemory.layer(() => layer))).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ScriptedAgents.layer(agents),
        ScriptedToolServers.layer(tools),
        processes === undefined ? ProcessRunner.layer() : ProcessRunner.layerScripted(processes),
        environment === undefined ? Environment.layerProcess : Environment.layerOf(environment),
        NodeFileSystem.layer,
        NodePath.layer
      )
    )
  )

/** What a scripted command answers: it succeeds and says nothing, unless told otherwise. */
export const processResult = (result: Partial<ProcessResult> = {}): ProcessResult => ({
  exitCode: 0,
  stdout: "",
  stderr: "",
  ...result
})
