/** The first event of a workflow: what was started, so that a reader can draw it without the workflow's file. */
import { Option } from "effect"
import type { RunEventData } from "../domain/RunEvent.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { AgentNode, ForEachNode, ParallelNode, PlanNode } from "../language/PlanNode.ts"
import { version } from "../platform/Version.ts"
import type { RunRequest } from "./Engine.ts"
import { isGroup } from "./GroupResult.ts"
import { providerOf } from "./PlanFacts.ts"

const agentDetails = (node: AgentNode, { plan, provider }: RunRequest): ValueMap => ({
  model: node.model ?? plan.runtime.default_model ?? null,
  provider_name: providerOf(node, plan, provider),
  reasoning_effort: node.reasoning?.effort ?? plan.runtime.default_reasoning_effort ?? null,
  context_tier: node.context_tier ?? plan.runtime.default_context_tier ?? null
})

const NO_DETAILS: ValueMap = { model: null, provider_name: null, reasoning_effort: null, context_tier: null }

const stepEntry = (node: PlanNode, request: RunRequest): Option.Option<ValueMap> => {
  if (isGroup(node)) return Option.none()
  const details = node.kind === "agent" ? agentDetails(node, request) : NO_DETAILS
  return Option.some({ name: node.name, type: node.kind, ...details })
}

const parallelEntry = ({ failure_mode, members, name }: ParallelNode): ValueMap => ({
  name,
  agents: members.map((member) => member.name),
  failure_mode
})

const forEachEntry = ({ failure_mode, max_concurrent, name, source, step }: ForEachNode): ValueMap => ({
  name,
  source,
  agent: step.name,
  type: step.kind,
  max_concurrent,
  failure_mode
})

const routeEntries = (plan: Plan): ReadonlyArray<ValueMap> =>
  [...plan.nodes.values()].flatMap((node) =>
    node.kind === "human_gate"
      ? node.options.map(({ route, value }) => ({ from: node.name, to: route, when: `selection == '${value}'` }))
      : node.routes.map(({ to, when }) => ({ from: node.name, to, when: when ?? null }))
  )

/** `inputs` are complete: what the caller gave, with the workflow's defaults. */
export const startedEvent = (request: RunRequest, inputs: ValueMap): RunEventData["workflow_started"] => {
  const { metadata, plan, runId, system = {} } = request
  const nodes = [...plan.nodes.values()]
  return {
    name: plan.name,
    version,
    run_id: runId,
    entry_point: plan.entry,
    agents: nodes.flatMap((node) => Option.toArray(stepEntry(node, request))),
    parallel_groups: nodes.flatMap((node) => (node.kind === "parallel" ? [parallelEntry(node)] : [])),
    for_each_groups: nodes.flatMap((node) => (node.kind === "for_each" ? [forEachEntry(node)] : [])),
    routes: routeEntries(plan),
    metadata: { ...plan.metadata, ...metadata },
    inputs,
    system: { conductor_version: version, ...system },
    max_iterations: plan.limits.max_iterations
  }
}
