/** The workflows below a workflow, as far as they can be found: asked before a run starts, to refuse it or to copy them. */
import { Effect, Either } from "effect"
import type { ResolvedReference } from "../domain/ResolvedReference.ts"
import type { Plan } from "../language/Plan.ts"
import type { SubWorkflowNode } from "../language/PlanNode.ts"
import { anchoredSources, sourcesKey } from "../language/plugins/PluginSource.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { WorkflowResolver, type ResolvedWorkflow, type WorkflowNotResolved } from "./WorkflowResolver.ts"

export interface SubWorkflow {
  /** The steps that lead to it, from the root. */
  readonly path: ReadonlyArray<string>
  /** As it runs below the root. */
  readonly resolved: Either.Either<ResolvedWorkflow, WorkflowNotResolved>
}

const subWorkflowSteps = (plan: Plan): ReadonlyArray<SubWorkflowNode> =>
  [...plan.nodes.values()].flatMap((node) => {
    const step = node.kind === "for_each" ? node.step : node
    return step.kind === "workflow" ? [step] : []
  })

/**
 * A sub-workflow runs with the providers and models of the root, and with a working directory, skills and plugins of its
 * own (workflow language §5.9). The instructions, MCP servers and plugin sources of all above it hold for it, too.
 */
export const inherit = (child: Plan, parent: Plan): Plan => {
  const { instructions, runtime } = parent
  const { mcp_servers, plugin_sources, plugins, skills, working_dir } = child.runtime
  const { working_dir: _parents, ...shared } = runtime
  const { directory } = workflowFacts(parent)
  const sources = directory === undefined ? shared.plugin_sources : anchoredSources(shared.plugin_sources, directory)
  return {
    ...child,
    instructions: [...instructions, ...child.instructions],
    runtime: {
      ...shared,
      mcp_servers: { ...shared.mcp_servers, ...mcp_servers },
      plugin_sources: { ...sources, ...plugin_sources },
      plugins,
      skills,
      ...(working_dir === undefined ? {} : { working_dir })
    }
  }
}

interface Below {
  /** Each file once with what it inherits, under the first path that leads to it: a workflow may well name itself. */
  readonly workflows: ReadonlyArray<SubWorkflow>
  /** Of all steps in workflows that came from files. */
  readonly references: ReadonlyArray<ResolvedReference>
}

/** Two that call one file may mean different sources by the same name of its plugins. */
const seenAs = ({ path, runtime }: Plan): string => `${path}\0${sourcesKey(runtime.plugin_sources)}`

export const subWorkflows = Effect.fn("SubWorkflows.find")(function* (root: Plan) {
  const { resolve } = yield* WorkflowResolver
  const found: Array<SubWorkflow> = []
  const references: Array<ResolvedReference> = []
  const seen = new Set([seenAs(root)])
  const waiting: Array<{ readonly plan: Plan; readonly path: ReadonlyArray<string> }> = [{ plan: root, path: [] }]
  for (const { path, plan } of waiting) {
    for (const step of subWorkflowSteps(plan)) {
      const { directory } = workflowFacts(plan)
      const resolved = yield* resolve(step.workflow, directory).pipe(
        Effect.map((workflow) => ({ ...workflow, plan: inherit(workflow.plan, plan) })),
        Effect.either
      )
      const at = [...path, step.name]
      if (Either.isRight(resolved)) {
        const below = resolved.right.plan
        if (directory !== undefined) references.push({ reference: step.workflow, directory, file: below.path })
        if (seen.has(seenAs(below))) continue
        seen.add(seenAs(below))
        waiting.push({ path: at, plan: below })
      }
      found.push({ path: at, resolved })
    }
  }
  return { workflows: found, references } satisfies Below
})
