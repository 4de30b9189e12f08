/** The first event of a workflow: what was started, so that a reader can draw it without the workflow's file. */
import { Effect } from "effect"
import { AgentProviders } from "../agents/AgentProvider.ts"
import type { RunEventData } from "../domain/RunEvent.ts"
import type { ValueMap } from "../domain/Value.ts"
import { agentSteps } from "../language/AgentSteps.ts"
import type { Plan } from "../language/Plan.ts"
import { capabilitiesOf } from "../language/validate/ProviderCapabilities.ts"
import { version } from "../platform/Version.ts"
import type { RunRequest } from "./Engine.ts"
import { providerOf } from "./PlanFacts.ts"
import { workflowShape } from "./WorkflowShape.ts"

const providerEntry = (name: string, available: ReadonlyArray<string>): ValueMap => ({
  name,
  status: available.includes(name) ? "ok" : "unresolved",
  tier: capabilitiesOf(name)?.tier ?? null,
  upstream_pin: null,
  maintainer: null
})

/** By name: the workflow's own, which is told even when no step uses it, and those that its steps choose. */
const providersOf = (plan: Plan, chosen: string | undefined, available: ReadonlyArray<string>): ValueMap => {
  const steps = agentSteps(plan).map((step) => providerOf(step, plan, chosen))
  const names = new Set([chosen ?? plan.runtime.provider.name, ...steps])
  return Object.fromEntries([...names].map((name) => [name, providerEntry(name, available)]))
}

/** `inputs` are complete: what the caller gave, with the workflow's defaults. */
export const startedEvent = Effect.fn("StartedEvent.make")(function* (request: RunRequest, inputs: ValueMap) {
  const { logFile = "", metadata, plan, provider, runId, source, system = {} } = request
  const { available } = yield* AgentProviders
  return {
    ...(yield* workflowShape(plan, provider)),
    version,
    run_id: runId,
    log_file: logFile,
    providers: providersOf(plan, provider, available),
    ...(source === undefined ? {} : { yaml_source: source }),
    metadata: { ...plan.metadata, ...metadata },
    inputs,
    system: { conductor_version: version, ...system },
    max_iterations: plan.limits.max_iterations
  } satisfies RunEventData["workflow_started"]
})
