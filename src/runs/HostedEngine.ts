/** The engine in the process of a run, with the world that it works in: people, models, tools, files and commands. */
import * as NodePath from "@effect/platform-node/NodePath"
import { FileSystem } from "@effect/platform/FileSystem"
import { Layer } from "effect"
import { agentProvidersLayer } from "../agents/AgentProvidersLive.ts"
import type { RunId } from "../domain/RunId.ts"
import { EngineLive } from "../engine/EngineLive.ts"
import { WorkflowResolver } from "../engine/WorkflowResolver.ts"
import { PluginSources } from "../language/plugins/PluginSources.ts"
import { Environment } from "../platform/Environment.ts"
import * as ToolServersLive from "../tools/ToolServersLive.ts"
import * as ToolSpill from "../tools/ToolSpill.ts"
import type { HostedRun } from "./HostedRun.ts"
import * as InboxPeople from "./InboxPeople.ts"
import type { InboxPast } from "./RunInbox.ts"
import { unheardGuidance } from "./UnheardGuidance.ts"

/** What was said to the run before, and the folder for what is too long for a model. */
interface Surroundings {
  readonly past: InboxPast
  readonly spill: string
}

export const engineLayer = (
  runId: RunId,
  { files, request, resolver, secrets, sources }: HostedRun,
  { past, spill }: Surroundings
) =>
  EngineLive.pipe(
    Layer.provide([
      InboxPeople.layer(runId, {
        unheard: unheardGuidance(runId, past.messages, request.history ?? []),
        from: past.end
      }),
      agentProvidersLayer(request.plan.runtime, process.env),
      ToolServersLive.layer({ runId }),
      ToolSpill.layerFiles(spill, secrets.hideText),
      Layer.succeed(WorkflowResolver, resolver),
      Layer.succeed(PluginSources, sources),
      Layer.succeed(FileSystem, files)
    ]),
    Layer.provide([Environment.layerProcess, NodePath.layer])
  )
