/** What everything below one workflow of a run knows of it, and what all of it needs of the world. */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import type { Effect } from "effect"
import type { AgentProviders } from "../agents/AgentProvider.ts"
import type { Environment } from "../platform/Environment.ts"
import type { ProcessRunner } from "../platform/ProcessRunner.ts"
import type { RunRequest } from "./Engine.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"
import type { OpenSessions } from "./OpenSessions.ts"
import type { WorkflowResolver } from "./WorkflowResolver.ts"

export type StepServices = AgentProviders | ProcessRunner | Environment | FileSystem | Path | WorkflowResolver

export interface RunInProgress {
  /** Of the whole run: a sub-workflow has none of its own. */
  readonly runId: string
  readonly request: RunRequest
  readonly journal: Journal
  /** Of the whole run. */
  readonly openSessions: OpenSessions
  /** Seconds until this workflow, or one above it, is out of time; infinite without a limit. */
  readonly remaining: Effect.Effect<number>
  /** The slots from the root down to here; their number is the depth. */
  readonly path: ReadonlyArray<string>
}

/** Runs a workflow below; handed down, since a step that starts a workflow is itself part of running one. */
export type RunWorkflow = (run: RunInProgress) => Effect.Effect<void, EventSinkError, StepServices>
