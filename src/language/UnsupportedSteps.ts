/** What this version of the engine cannot run yet, so that a start is refused at once and not in the middle of a run. */
import type { ForEachNode, ParallelNode, PlanNode, StepNode } from "./PlanNode.ts"
import type { Plan } from "./Plan.ts"

export interface UnsupportedStep {
  readonly step: string
  readonly reason: string
}

/** What can be a member of a group; anything else is a mistake that validation names (workflow language §1.13, §1.14). */
const MEMBER_KINDS: Readonly<Record<"parallel" | "for_each", ReadonlyArray<StepNode["kind"]>>> = {
  parallel: ["agent", "set", "mcp"],
  for_each: ["agent", "set", "workflow", "mcp"]
}

const memberReason = (group: ParallelNode | ForEachNode, { kind, name }: StepNode): string | undefined => {
  const allowed = MEMBER_KINDS[group.kind]
  return allowed.includes(kind)
    ? undefined
    : `'${name}' is of type ${kind}, and a ${group.kind} group runs steps of type ${allowed.join(", ")} only`
}

const reasonFor = (node: PlanNode): string | undefined => {
  if (node.kind !== "parallel" && node.kind !== "for_each") return undefined
  return (node.kind === "parallel" ? node.members : [node.step])
    .map((member) => memberReason(node, member))
    .find((reason) => reason !== undefined)
}

/** Every node that cannot be run, reachable or not, with the reason; empty when the plan can be started. */
export const unsupportedSteps = (plan: Plan): ReadonlyArray<UnsupportedStep> =>
  [...plan.nodes.values()].flatMap((node) => {
    const reason = reasonFor(node)
    return reason === undefined ? [] : [{ step: node.name, reason }]
  })
