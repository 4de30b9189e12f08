/** What this version of the engine cannot run yet, so that a start is refused at once and not in the middle of a run. */
import type { AgentNode, PlanNode, StepNode } from "./PlanNode.ts"
import type { Plan } from "./Plan.ts"

export interface UnsupportedStep {
  readonly step: string
  readonly reason: string
}

const KIND_REASONS: Readonly<Partial<Record<PlanNode["kind"], string>>> = {
  parallel: "parallel groups are not run yet",
  for_each: "for_each groups are not run yet",
  workflow: "sub-workflows are not run yet"
}

const isNonEmpty = (list: ReadonlyArray<unknown> | undefined): boolean => list !== undefined && list.length > 0

const usesTools = ({ tools }: AgentNode, plan: Plan): boolean =>
  tools === undefined ? isNonEmpty(plan.tools) || Object.keys(plan.runtime.mcp_servers).length > 0 : tools.length > 0

const features = (agent: AgentNode, plan: Plan): ReadonlyArray<string> => {
  const { runtime } = plan
  const used: ReadonlyArray<readonly [boolean, string]> = [
    [agent.validator !== undefined, "validator"],
    [agent.dialog !== undefined, "dialog"],
    [agent.session_key !== undefined, "session_key"],
    [agent.sandbox !== undefined, "sandbox"],
    [
      agent.skills === undefined
        ? isNonEmpty(runtime.skills) || runtime.skill_discovery !== undefined
        : isNonEmpty(agent.skills),
      "skills"
    ],
    [isNonEmpty(agent.plugins ?? runtime.plugins), "plugins"],
    [usesTools(agent, plan), "tools or MCP servers"]
  ]
  return used.flatMap(([isUsed, feature]) => (isUsed ? [feature] : []))
}

const reasonFor = (node: PlanNode, plan: Plan): string | undefined => {
  const reason = KIND_REASONS[node.kind]
  if (reason !== undefined || node.kind !== "agent") return reason
  const used = features(node, plan)
  return used.length === 0 ? undefined : `the step uses ${used.join(", ")}, which agents cannot use yet`
}

/** Every node that cannot be run, reachable or not, with the reason; empty when the plan can be started. */
export const unsupportedSteps = (plan: Plan): ReadonlyArray<UnsupportedStep> =>
  [...plan.nodes.values()].flatMap((node: PlanNode | StepNode) => {
    const reason = reasonFor(node, plan)
    return reason === undefined ? [] : [{ step: node.name, reason }]
  })
