/** What the rules look names up in: the document with its names sorted by what they stand for. */
import type { Step } from "../document/Step.ts"
import { nodeNames, type WorkflowDocument } from "../document/WorkflowDocument.ts"
import type { LoadedWorkflow } from "../Loader.ts"
import type { Place } from "../Problem.ts"
import type { YamlNode } from "../yaml/YamlNode.ts"

export interface PlacedStep {
  readonly step: Step
  readonly place: Place
  /** The loop variable, for the inline step of a for_each group. */
  readonly loopVariable?: string
}

export interface Scope {
  readonly document: WorkflowDocument
  readonly tree: YamlNode
  /** Dotted places of texts that are included files, with the file. */
  readonly fileOrigins: ReadonlyMap<string, string>
  readonly steps: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  readonly inputs: ReadonlySet<string>
  /** Steps and groups. */
  readonly nodes: ReadonlySet<string>
  readonly placedSteps: ReadonlyArray<PlacedStep>
}

export const scopeOf = ({ document, fileOrigins, tree }: LoadedWorkflow): Scope => ({
  document,
  tree,
  fileOrigins,
  steps: new Set(document.agents.map(({ name }) => name)),
  groups: new Set([...document.parallel, ...document.for_each].map(({ name }) => name)),
  inputs: new Set(Object.keys(document.workflow.input)),
  nodes: new Set(nodeNames(document)),
  placedSteps: [
    ...document.agents.map((step, index): PlacedStep => ({ step, place: ["agents", index] })),
    ...document.for_each.map(({ agent, as }, index): PlacedStep => ({
      step: agent,
      place: ["for_each", index, "agent"],
      loopVariable: as
    }))
  ]
})

export const typeOf = (step: Step) => step.type ?? "agent"

export const modelSteps = ({ placedSteps }: Scope): ReadonlyArray<PlacedStep> =>
  placedSteps.filter(({ step }) => typeOf(step) === "agent")

export const providerOf = (step: Step, { document }: Scope) => step.provider ?? document.workflow.runtime.provider.name
