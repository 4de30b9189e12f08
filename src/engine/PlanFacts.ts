/** What the engine derives from a plan alone. */
import { dirname, isAbsolute } from "node:path"
import type { AgentNode } from "../language/PlanNode.ts"
import type { Plan } from "../language/Plan.ts"
import type { WorkflowFacts } from "./StepContext.ts"

/** Text that came from no file has a name for a path, and so neither directory nor file. */
export const workflowFacts = ({ name, path }: Plan): WorkflowFacts =>
  isAbsolute(path) ? { name, directory: dirname(path), file: path } : { name }

/** `chosen` stands in for the workflow's own provider; a step that names one keeps it. */
export const providerOf = (step: AgentNode, plan: Plan, chosen: string | undefined): string =>
  step.provider ?? chosen ?? plan.runtime.provider.name
