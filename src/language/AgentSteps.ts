/** The LLM steps of a plan, those of for_each groups included: what asks a model, with all that this needs. Pure. */
import type { Plan } from "./Plan.ts"
import type { AgentNode } from "./PlanNode.ts"

export const agentSteps = ({ nodes }: Plan): ReadonlyArray<AgentNode> =>
  [...nodes.values()].flatMap((node) => {
    const step = node.kind === "for_each" ? node.step : node
    return step.kind === "agent" ? [step] : []
  })
