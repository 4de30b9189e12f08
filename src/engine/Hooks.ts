/**
 * The hooks of a workflow: templates rendered when a run starts, completes or fails (workflow language §5.21). They have
 * no effect but a line in the debug log, and nothing that is wrong with them can touch the run.
 */
import { Effect, Either } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import type { Hooks } from "../language/document/Hooks.ts"
import type { Plan } from "../language/Plan.ts"
import { renderTemplate } from "../language/template/Template.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { fullContext, type Memory } from "./StepContext.ts"

/** `extra` are the names that only this hook sees: `result` or `error`. */
export const runHook = (plan: Plan, hook: keyof Hooks, memory: Memory, extra: ValueMap = {}): Effect.Effect<void> => {
  const template = plan.hooks[hook]
  if (template === undefined) return Effect.void
  const context = { ...fullContext(workflowFacts(plan), memory), ...extra }
  return Either.match(renderTemplate(template, context), {
    onLeft: (error) => Effect.logDebug(`hook ${hook} failed`, error.message),
    onRight: (text) => Effect.logDebug(`hook ${hook}`, text)
  })
}
