/** What this version of the engine cannot run yet, so that a start is refused at once and not in the middle of a run. */
import type { AgentNode, ForEachNode, ParallelNode, PlanNode, StepNode } from "./PlanNode.ts"
import type { Plan } from "./Plan.ts"

export interface UnsupportedStep {
  readonly step: string
  readonly reason: string
}

const isNonEmpty = (list: ReadonlyArray<unknown> | undefined): boolean => list !== undefined && list.length > 0

const features = (agent: AgentNode, plan: Plan): ReadonlyArray<string> => {
  const { runtime } = plan
  const used: ReadonlyArray<readonly [boolean, string]> = [
    [
      agent.skills === undefined
        ? isNonEmpty(runtime.skills) || runtime.skill_discovery !== undefined
        : isNonEmpty(agent.skills),
      "skills"
    ],
    [isNonEmpty(agent.plugins ?? runtime.plugins), "plugins"]
  ]
  return used.flatMap(([isUsed, feature]) => (isUsed ? [feature] : []))
}

/** What can be a member of a group; anything else is a mistake that validation names (workflow language §1.13, §1.14). */
const MEMBER_KINDS: Readonly<Record<"parallel" | "for_each", ReadonlyArray<StepNode["kind"]>>> = {
  parallel: ["agent", "set", "mcp"],
  for_each: ["agent", "set", "workflow", "mcp"]
}

const memberReason = (group: ParallelNode | ForEachNode, member: StepNode, plan: Plan): string | undefined => {
  const allowed = MEMBER_KINDS[group.kind]
  if (allowed.includes(member.kind)) return group.kind === "for_each" ? reasonFor(member, plan) : undefined
  return `'${member.name}' is of type ${member.kind}, and a ${group.kind} group runs steps of type ${allowed.join(", ")} only`
}

const groupReason = (group: ParallelNode | ForEachNode, plan: Plan): string | undefined =>
  (group.kind === "parallel" ? group.members : [group.step])
    .map((member) => memberReason(group, member, plan))
    .find((reason) => reason !== undefined)

const reasonFor = (node: PlanNode, plan: Plan): string | undefined => {
  if (node.kind === "parallel" || node.kind === "for_each") return groupReason(node, plan)
  if (node.kind !== "agent") return undefined
  const used = features(node, plan)
  return used.length === 0 ? undefined : `the step uses ${used.join(", ")}, which agents cannot use yet`
}

/** Every node that cannot be run, reachable or not, with the reason; empty when the plan can be started. */
export const unsupportedSteps = (plan: Plan): ReadonlyArray<UnsupportedStep> =>
  [...plan.nodes.values()].flatMap((node) => {
    const reason = reasonFor(node, plan)
    return reason === undefined ? [] : [{ step: node.name, reason }]
  })
