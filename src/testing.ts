/**
 * Layers for deterministic tests of workflows: scripted agents, scripted commands, runs and registries in memory. See
 * docs/testing.md.
 */

// The whole at once
export { processResult, testWorkflows, type TestWorkflowsOptions } from "./library/TestWorkflows.ts"
export { runWorkflow, type RunWorkflowOptions } from "./library/RunWorkflow.ts"

// Agents
export {
  ScriptedAgents,
  ScriptedCalls,
  type ScriptedAgentsOptions,
  type ScriptedCall
} from "./agents/ScriptedProvider.ts"
export type { AgentScript } from "./agents/ScriptedResponse.ts"

// Tools of MCP servers
export { ScriptedToolServers, type ScriptedTool, type ToolScript } from "./tools/ScriptedToolServers.ts"

// Commands
export { ProcessRunner, type ProcessResult, type ProcessSpec } from "./platform/ProcessRunner.ts"
export { ProcessError } from "./platform/ProcessError.ts"

// Runs and events
export { layer as runsInMemory } from "./runs/RunsMemory.ts"
export { layerMemory as eventSinkInMemory, MemoryEventSink } from "./engine/MemoryEventSink.ts"

// Registries
export {
  layer as registriesInMemory,
  type MemoryRegistry,
  type MemoryWorkflow
} from "./registries/MemoryRegistrySource.ts"
