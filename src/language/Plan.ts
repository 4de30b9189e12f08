/**
 * The compiled, immutable graph of a workflow: what the engine runs, and what dry run, validation and the plan tree show.
 * Compiling is pure; everything that can be wrong was found by the loader.
 */
import type { ValueMap } from "../domain/Value.ts"
import { compileForEach, compileParallel, compileStep } from "./CompileNode.ts"
import type { Context } from "./document/Context.ts"
import type { Cost } from "./document/Cost.ts"
import type { Hooks } from "./document/Hooks.ts"
import type { InputDefinitions } from "./document/InputDefinition.ts"
import type { Limits } from "./document/Limits.ts"
import type { Runtime } from "./document/Runtime.ts"
import type { LoadedWorkflow } from "./Loader.ts"
import type { PlanNode, StepNode } from "./PlanNode.ts"

export interface Plan {
  readonly name: string
  readonly description?: string
  readonly version?: string
  /** Absolute path of the workflow's file, or the name given to text that came from no file. */
  readonly path: string
  /** A key of `nodes`. */
  readonly entry: string
  /** In the order of the document: steps, parallel groups, for_each groups. Of equal names a group wins, then the first. */
  readonly nodes: ReadonlyMap<string, PlanNode>
  readonly inputs: InputDefinitions
  readonly context: Context
  readonly limits: Limits
  readonly runtime: Runtime
  readonly cost: Cost
  readonly hooks: Hooks
  readonly metadata: ValueMap
  readonly instructions: ReadonlyArray<string>
  /** What the `tools` of a step may name. */
  readonly tools: ReadonlyArray<string>
  /** Templates of the final output. */
  readonly output: Readonly<Record<string, string>>
}

/** The first entry of a repeated name counts. */
const byName = <A extends { readonly name: string }>(entries: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(entries.toReversed().map((entry) => [entry.name, entry]))

const nodesOf = ({ document, fileOrigins }: LoadedWorkflow): ReadonlyMap<string, PlanNode> => {
  const steps = document.agents.map((step, index): StepNode => compileStep(step, ["agents", index], fileOrigins))
  const members = byName(steps)
  const groups = [
    ...document.parallel.map((group, index) => compileParallel(group, ["parallel", index], members)),
    ...document.for_each.map((group, index) => compileForEach(group, ["for_each", index], fileOrigins))
  ]
  const winners = byName<PlanNode>([...groups, ...steps])
  return new Map([...steps, ...groups].flatMap(({ name }) => [[name, winners.get(name)] as const]).filter(isKnown))
}

const isKnown = (entry: readonly [string, PlanNode | undefined]): entry is readonly [string, PlanNode] =>
  entry[1] !== undefined

export const compilePlan = (loaded: LoadedWorkflow): Plan => {
  const { workflow, tools, output } = loaded.document
  const { description, entry_point: entry, hooks = {}, input: inputs, version } = workflow
  return {
    name: workflow.name,
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    path: loaded.path,
    entry,
    nodes: nodesOf(loaded),
    inputs,
    context: workflow.context,
    limits: workflow.limits,
    runtime: workflow.runtime,
    cost: workflow.cost,
    hooks,
    metadata: workflow.metadata,
    instructions: workflow.instructions,
    tools,
    output
  }
}
