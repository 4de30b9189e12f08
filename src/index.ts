/**
 * The library: the services, live layers, schemas and errors for programs that run workflows themselves. What is exported
 * here is kept stable; everything else of the package is not for import.
 */

// The whole at once
export { conductorLive, packagedRunEntry, type ConductorLiveOptions } from "./library/ConductorLive.ts"
export { runWorkflow, type RunWorkflowOptions } from "./library/RunWorkflow.ts"
export { version } from "./platform/Version.ts"

// Values, and the vocabulary of runs
export { Float, parseJson, stringifyJson, toJson, type Json, type Value, type ValueMap } from "./domain/Value.ts"
export { Pin, pinOf } from "./domain/Pin.ts"
export { RunId, isRunId } from "./domain/RunId.ts"
export { RunStatus, isTerminal, needsAttention } from "./domain/RunStatus.ts"
export {
  eventData,
  isTerminalEvent,
  RunEventEnvelope,
  type RunEvent,
  type RunEventData,
  type RunEventType
} from "./domain/RunEvent.ts"

// Workflow files: load, check, compile
export { loadWorkflow, loadWorkflowText, type LoadedWorkflow } from "./language/Loader.ts"
export { LoadError } from "./language/LoadError.ts"
export { WorkflowDocument } from "./language/document/WorkflowDocument.ts"
export { readMetadata, type WorkflowMetadata } from "./language/Metadata.ts"
export { compilePlan, type Plan } from "./language/Plan.ts"
export type { PlanNode } from "./language/PlanNode.ts"
export { inputSchemaOf } from "./language/InputSchema.ts"
export { unsupportedSteps, type UnsupportedStep } from "./language/UnsupportedSteps.ts"
export { validateWorkflow } from "./language/validate/Validate.ts"
export { validateWithSubWorkflows } from "./language/validate/SubWorkflows.ts"
export { renderDiagnostic, type Diagnostic } from "./language/validate/Diagnostic.ts"

// Runs
export { RunLauncher, type LaunchRequest } from "./runs/RunLauncher.ts"
export { RunMonitor, type RunFilter, type RunPage } from "./runs/RunMonitor.ts"
export { RunResumption, type ForkRequest, type ResumeOptions } from "./runs/RunResumption.ts"
export { RunCancellation, type CancelOutcome } from "./runs/RunCancellation.ts"
export { RunGates } from "./runs/RunGates.ts"
export { guideRun } from "./runs/GuideRun.ts"
export { AnswerRefused, type GateAnswer, type OpenGate } from "./domain/Gate.ts"
export { awaitRun } from "./runs/AwaitRun.ts"
export { reindex } from "./runs/Reindex.ts"
export type { RunError, RunProgress, RunView } from "./runs/RunView.ts"
export {
  ForkRefused,
  GuidanceRefused,
  LaunchError,
  NoOpenGate,
  NotResumable,
  RunNotFound,
  RunStoreError
} from "./runs/RunErrors.ts"
export { RunEntry } from "./runs/RunEntry.ts"
export { layer as runsLive, type RunRecords } from "./runs/RunsLive.ts"

// The engine, for programs that keep runs themselves
export { Engine, UnsupportedWorkflow, type RunOutcome, type RunRequest } from "./engine/Engine.ts"
export { EngineLive } from "./engine/EngineLive.ts"
export { EventSink, EventSinkError } from "./engine/EventSink.ts"
export {
  AgentProviders,
  ProviderError,
  type AgentProviderShape,
  type AgentRequest,
  type AgentResponse,
  type AgentUsage
} from "./agents/AgentProvider.ts"
export { agentProvidersLayer, type ProviderSettings } from "./agents/AgentProvidersLive.ts"
export type { AgentTool, AgentTools, ToolReply, ToolRound } from "./agents/AgentTools.ts"
export {
  ToolServerError,
  ToolServers,
  type ServerTool,
  type ServerUse,
  type ToolResult,
  type ToolServersShape
} from "./tools/ToolServers.ts"
export { layer as toolServersLive } from "./tools/ToolServersLive.ts"

// Registries, and what is served from them
export { RegistriesConfig, type NewRegistry } from "./registries/RegistriesConfig.ts"
export { RegistriesFile, RegistryDefinition, type Registry } from "./registries/Registry.ts"
export { RegistrySource, type RegistryEntry, type RegistryListing } from "./registries/RegistrySource.ts"
export { layer as pathRegistrySource } from "./registries/PathRegistrySource.ts"
export { RegistriesFileError, RegistryError } from "./registries/RegistryError.ts"
export { Catalogue, type CatalogueShape, type Drift } from "./catalogue/Catalogue.ts"
export type { CatalogueContents, CatalogueEntry } from "./catalogue/CatalogueEntry.ts"
export { layer as catalogueLive } from "./catalogue/CatalogueLive.ts"
export type { CatalogueOptions } from "./catalogue/CatalogueOptions.ts"

// The way out for text that a model or a browser reads
export { Boundary, makeBoundary, type BoundaryShape } from "./boundary/Boundary.ts"
export { makeRedactor, Redactor, type RedactorShape } from "./boundary/Redactor.ts"

// The machine
export { Environment } from "./platform/Environment.ts"
export { Home } from "./platform/Home.ts"
export { ProcessRunner, type ProcessResult, type ProcessSpec } from "./platform/ProcessRunner.ts"
export { ProcessError } from "./platform/ProcessError.ts"
