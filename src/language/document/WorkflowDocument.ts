/** A whole workflow file: the root of the format. What has to hold between its parts is in `CrossChecks`. */
import { ForEach } from "./ForEach.ts"
import { closed, dictionary, list, withDefault } from "./Keyed.ts"
import { Parallel } from "./Parallel.ts"
import { Text, Texts } from "./Scalars.ts"
import { Step } from "./Step.ts"
import { Workflow } from "./Workflow.ts"

export const WorkflowDocument = closed({
  workflow: Workflow,
  agents: list(Step),
  parallel: withDefault(list(Parallel), []),
  for_each: withDefault(list(ForEach), []),
  tools: withDefault(Texts, []),
  output: withDefault(dictionary(Text), {})
})
export type WorkflowDocument = typeof WorkflowDocument.Type

/** Every name that a route may lead to, `$end` aside. */
export const nodeNames = ({ agents, for_each, parallel }: WorkflowDocument): ReadonlyArray<string> =>
  [...agents, ...parallel, ...for_each].map(({ name }) => name)
