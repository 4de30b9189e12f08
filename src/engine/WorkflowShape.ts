/**
 * The nodes and routes of a workflow, and of those below it, as its first event tells them: enough to draw it without its
 * files (run files and events §2.3).
 */
import { Effect, Option, Ref } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import { MAX_DEPTH, MAX_WORKFLOWS } from "../language/SubWorkflowLimits.ts"
import type { AgentNode, ForEachNode, ParallelNode, PlanNode, SubWorkflowNode } from "../language/PlanNode.ts"
import { isGroup } from "./GroupResult.ts"
import { providerOf, workflowFacts } from "./PlanFacts.ts"
import { inherit } from "./SubWorkflows.ts"
import { WorkflowResolver } from "./WorkflowResolver.ts"

interface Way {
  /** What stands in for the workflows' own provider. */
  readonly provider: string | undefined
  /** Paths of the workflows from the root down to here. */
  readonly chain: ReadonlyArray<string>
  /** How many more may be drawn: workflows that call each other several times multiply. */
  readonly left: Ref.Ref<number>
}

const agentDetails = (node: AgentNode, plan: Plan, { provider }: Way): ValueMap => ({
  model: node.model ?? plan.runtime.default_model ?? null,
  provider_name: providerOf(node, plan, provider),
  reasoning_effort: node.reasoning?.effort ?? plan.runtime.default_reasoning_effort ?? null,
  context_tier: node.context_tier ?? plan.runtime.default_context_tier ?? null
})

const NO_DETAILS: ValueMap = { model: null, provider_name: null, reasoning_effort: null, context_tier: null }

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

const routeEntries = (node: PlanNode): ReadonlyArray<ValueMap> =>
  node.kind === "human_gate"
    ? node.options.map(({ route, value }) => ({ from: node.name, to: route, when: `selection == '${value}'` }))
    : node.routes.map(({ to, when }) => ({ from: node.name, to, when: when ?? null }))

/** None for what cannot be found, for a workflow inside itself, and for what would make the drawing too large. */
const drawBelow = Effect.fnUntraced(function* (
  step: SubWorkflowNode,
  plan: Plan,
  way: Way
): Effect.fn.Return<Option.Option<WorkflowShape>, never, WorkflowResolver> {
  if (way.chain.length > MAX_DEPTH) return Option.none()
  const { resolve } = yield* WorkflowResolver
  const found = yield* Effect.option(resolve(step.workflow, workflowFacts(plan).directory))
  if (Option.isNone(found) || way.chain.includes(found.value.plan.path)) return Option.none()
  if ((yield* Ref.getAndUpdate(way.left, (left) => left - 1)) <= 0) return Option.none()
  const child = inherit(found.value.plan, plan)
  return Option.some(yield* draw(child, { ...way, chain: [...way.chain, child.path] }))
})

const stepEntry = Effect.fnUntraced(function* (
  node: PlanNode,
  plan: Plan,
  way: Way
): Effect.fn.Return<ValueMap, never, WorkflowResolver> {
  const entry = { name: node.name, type: node.kind }
  if (node.kind === "agent") return { ...entry, ...agentDetails(node, plan, way) }
  if (node.kind !== "workflow") return { ...entry, ...NO_DETAILS }
  const below = yield* drawBelow(node, plan, way)
  const subworkflow = Option.match(below, { onNone: () => null, onSome: (shape): ValueMap => ({ ...shape }) })
  return { ...entry, ...NO_DETAILS, subworkflow }
})

/** Fields have the names of the event. */
interface WorkflowShape {
  readonly name: string
  readonly entry_point: string
  readonly agents: ReadonlyArray<ValueMap>
  readonly parallel_groups: ReadonlyArray<ValueMap>
  readonly for_each_groups: ReadonlyArray<ValueMap>
  readonly routes: ReadonlyArray<ValueMap>
}

const draw = Effect.fnUntraced(function* (
  plan: Plan,
  way: Way
): Effect.fn.Return<WorkflowShape, never, WorkflowResolver> {
  const nodes = [...plan.nodes.values()]
  const steps = nodes.filter((node) => !isGroup(node))
  return {
    name: plan.name,
    entry_point: plan.entry,
    agents: yield* Effect.forEach(steps, (node) => stepEntry(node, plan, way)),
    parallel_groups: nodes.flatMap((node) => (node.kind === "parallel" ? [parallelEntry(node)] : [])),
    for_each_groups: nodes.flatMap((node) => (node.kind === "for_each" ? [forEachEntry(node)] : [])),
    routes: nodes.flatMap(routeEntries)
  }
})

export const workflowShape = Effect.fn("WorkflowShape.draw")(function* (plan: Plan, provider: string | undefined) {
  return yield* draw(plan, { provider, chain: [plan.path], left: yield* Ref.make(MAX_WORKFLOWS) })
})
