/**
 * What to do next, from the plan and the state alone. Pure: it renders templates and evaluates conditions, since those
 * depend on nothing else, and leaves everything that touches the world to the interpreter.
 */
import { Either } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import type { Command } from "./Command.ts"
import { ExecutionError, MaxIterationsError, WorkflowTerminated } from "./EngineErrors.ts"
import { renderOutput } from "./FinalOutput.ts"
import { nodeOf, outputTemplates, workflowFacts } from "./PlanView.ts"
import { chooseRoute } from "./Routing.ts"
import type { Memory, State, Termination } from "./State.ts"
import { fullContext } from "./StepContext.ts"

const start = (plan: Plan, state: State, node: string): Command => {
  if (nodeOf(plan, node) === undefined) {
    const message = `Agent, parallel group, or for-each group not found: ${node}`
    return { _tag: "Fail", error: new ExecutionError({ message }) }
  }
  return state.iterations < state.maxIterations ? { _tag: "RunStep", node } : { _tag: "ReportLimit", node }
}

const route = (plan: Plan, state: State, node: string): Command =>
  Either.match(
    chooseRoute(node, nodeOf(plan, node)?.routes ?? [], fullContext(workflowFacts(plan), state), state.outputs.get(node) ?? null),
    {
      onLeft: (error) => ({ _tag: "Fail", error }),
      onRight: ({ output, to }) => ({ _tag: "TakeRoute", from: node, to, ...(output === undefined ? {} : { output }) })
    }
  )
