/** What would run, as data: the nodes of a workflow in the order of a walk, with the sub-workflows below them. */
import { Effect, Either, Ref } from "effect"
import type { ValueMap } from "../../domain/Value.ts"
import { providerOf, workflowFacts } from "../../engine/PlanFacts.ts"
import { inherit } from "../../engine/SubWorkflows.ts"
import { WorkflowResolver } from "../../engine/WorkflowResolver.ts"
import type { Plan } from "../../language/Plan.ts"
import { MAX_DEPTH } from "../../language/SubWorkflowLimits.ts"
import type { AgentNode, PlanNode, StepNode, SubWorkflowNode } from "../../language/PlanNode.ts"
import { walkPlan, type Way } from "./PlanWalk.ts"

/** What a `workflow` step leads to. */
export type Below =
  | { readonly _tag: "Outline"; readonly outline: PlanOutline }
  /** Nothing more is told of it, and why: it was told before, calls itself, or cannot be read. */
  | { readonly _tag: "Left"; readonly reason: string }

export interface OutlineStep {
  readonly name: string
  readonly type: StepNode["kind"]
  /** What the step is made of that a reader of the plan wants to see. */
  readonly details: ValueMap
  readonly below?: Below
}

export type OutlineNode = {
  readonly name: string
  readonly type: PlanNode["kind"]
  readonly details: ValueMap
  readonly below?: Below
  /** Of a group. */
  readonly members?: ReadonlyArray<OutlineStep>
  readonly ways: ReadonlyArray<Way>
}

export interface PlanOutline {
  readonly name: string
  readonly file: string
  readonly entry: string
  /** 0 for the workflow that is run, 1 for those that it calls, … */
  readonly depth: number
  readonly limits: ValueMap
  readonly provider: string
  readonly nodes: ReadonlyArray<OutlineNode>
  readonly unreached: ReadonlyArray<string>
}

const agentDetails = (node: AgentNode, plan: Plan, chosen: string | undefined): ValueMap => {
  const model = node.model ?? plan.runtime.default_model
  return {
    provider: providerOf(node, plan, chosen),
    ...(model === undefined ? {} : { model }),
    ...(node.timeout_seconds === undefined ? {} : { timeout_seconds: node.timeout_seconds })
  }
}

const stepDetails = (node: StepNode, plan: Plan, chosen: string | undefined): ValueMap => {
  switch (node.kind) {
    case "agent":
      return agentDetails(node, plan, chosen)
    case "script":
      return { command: node.command, ...(node.timeout === undefined ? {} : { timeout_seconds: node.timeout }) }
    case "mcp":
      return { server: node.server, tool: node.tool }
    case "wait":
      return { duration: node.duration }
    case "terminate":
      return { status: node.status }
    case "workflow":
      return { workflow: node.workflow, ...(node.max_depth === undefined ? {} : { max_depth: node.max_depth }) }
    case "questions":
      return node.questions._tag === "Inline"
        ? { questions: node.questions.items.length }
        : { source: node.questions.source }
    case "human_gate":
    case "set":
      return {}
  }
}

interface Walk {
  /** The provider of the command line. */
  readonly chosen: string | undefined
  /** Paths of the workflows that led here. */
  readonly chain: ReadonlyArray<string>
  /** Paths of all that was told. */
  readonly told: Ref.Ref<ReadonlySet<string>>
}

const left = (reason: string): Below => ({ _tag: "Left", reason })

const belowStep = (
  { workflow: reference }: SubWorkflowNode,
  plan: Plan,
  walk: Walk
): Effect.Effect<Below, never, WorkflowResolver> =>
  Effect.gen(function* () {
    const { chain, told } = walk
    const { resolve } = yield* WorkflowResolver
    const resolved = yield* Effect.either(resolve(reference, workflowFacts(plan).directory))
    if (Either.isLeft(resolved)) return left(resolved.left.message)
    const child = inherit(resolved.right.plan, plan)
    if (chain.includes(child.path)) return left(`calls '${child.name}' again, which is above it`)
    if (chain.length > MAX_DEPTH) return left(`deeper than ${MAX_DEPTH} levels, which no run goes`)
    if ((yield* Ref.get(told)).has(child.path)) return left(`'${child.name}', as shown above`)
    return { _tag: "Outline", outline: yield* outline(child, walk) } satisfies Below
  })

const stepOutline = (node: StepNode, plan: Plan, walk: Walk): Effect.Effect<OutlineStep, never, WorkflowResolver> =>
  Effect.gen(function* () {
    const { kind: type, name } = node
    const step = { name, type, details: stepDetails(node, plan, walk.chosen) }
    return node.kind === "workflow" ? { ...step, below: yield* belowStep(node, plan, walk) } : step
  })

const nodeOutline = (
  node: PlanNode,
  ways: ReadonlyArray<Way>,
  plan: Plan,
  walk: Walk
): Effect.Effect<OutlineNode, never, WorkflowResolver> =>
  Effect.gen(function* () {
    const { name } = node
    const membersOf = (steps: ReadonlyArray<StepNode>) => Effect.forEach(steps, (step) => stepOutline(step, plan, walk))
    switch (node.kind) {
      case "parallel": {
        const members = yield* membersOf(node.members)
        return { name, type: node.kind, details: { failure_mode: node.failure_mode }, members, ways }
      }
      case "for_each": {
        const { failure_mode, kind: type, max_concurrent, source, step } = node
        return {
          name,
          type,
          details: { source, max_concurrent, failure_mode },
          members: yield* membersOf([step]),
          ways
        }
      }
      default:
        return { ...(yield* stepOutline(node, plan, walk)), ways }
    }
  })

const outline = (plan: Plan, walk: Walk): Effect.Effect<PlanOutline, never, WorkflowResolver> =>
  Effect.gen(function* () {
    const { chosen, chain, told } = walk
    yield* Ref.update(told, (paths) => new Set([...paths, plan.path]))
    const below = { ...walk, chain: [...chain, plan.path] }
    const { reached, unreached } = walkPlan(plan)
    const { budget_mode, budget_usd, max_iterations, timeout_seconds } = plan.limits
    return {
      name: plan.name,
      file: plan.path,
      entry: plan.entry,
      depth: chain.length,
      limits: {
        max_iterations,
        ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
        ...(budget_usd === undefined ? {} : { budget_usd, budget_mode })
      },
      provider: chosen ?? plan.runtime.provider.name,
      nodes: yield* Effect.forEach(reached, ({ node, ways }) => nodeOutline(node, ways, plan, below)),
      unreached: unreached.map(({ name }) => name)
    }
  })

/** Each sub-workflow is told once, where a walk comes to it first. `chosen`: the provider of the command line. */
export const outlinePlan = Effect.fn("PlanOutline.outlinePlan")(function* (plan: Plan, chosen: string | undefined) {
  return yield* outline(plan, { chosen, chain: [], told: yield* Ref.make<ReadonlySet<string>>(new Set()) })
})
