/** Where an LLM step works, and an MCP server that a step uses: its own directory or the runtime's, relative to the workflow file (workflow language §9.8). */
import { FileSystem } from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import type { AgentNode, McpNode } from "../language/PlanNode.ts"
import type { Plan } from "../language/Plan.ts"
import { renderTemplate } from "../language/template/Template.ts"
import { ExecutionError } from "./EngineErrors.ts"
import { workflowPath } from "./WorkflowPath.ts"

/** Absolute. Fails before any model is asked when it is not a directory. */
export const workingDirectory = Effect.fn("WorkingDirectory.resolve")(function* (
  step: AgentNode | McpNode,
  plan: Plan,
  context: ValueMap
) {
  const template = step.working_dir ?? plan.runtime.working_dir
  if (template === undefined) return undefined
  const written = yield* renderTemplate(template, context)
  const path = workflowPath(plan, written)
  const fileSystem = yield* FileSystem
  const isDirectory = yield* fileSystem.stat(path).pipe(
    Effect.map(({ type }) => type === "Directory"),
    Effect.orElseSucceed(() => false)
  )
  if (isDirectory) return path
  const message = `Step '${step.name}': working_dir '${written}' is not a directory (looked for ${path})`
  return yield* new ExecutionError({ message })
})
