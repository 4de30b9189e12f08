/**
 * What to do next, from the plan and the state alone. Pure: it renders templates and evaluates conditions, since those
 * depend on nothing else, and leaves everything that touches the world to the interpreter.
 */
import { Either } from "effect"
import { get, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { PlanNode } from "../language/PlanNode.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import type { Command } from "./Command.ts"
import { ExecutionError, MaxIterationsError, WorkflowTerminated, type EngineError } from "./EngineErrors.ts"
import { renderOutput } from "./FinalOutput.ts"
import { nextMove, type Interview } from "./Interview.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { chooseRoute } from "./Routing.ts"
import type { State, Termination } from "./State.ts"
import { fullContext, type Memory } from "./StepContext.ts"

const fail = (error: EngineError): Command => ({ _tag: "Fail", error })

const start = (plan: Plan, state: State, node: string): Command => {
  if (!plan.nodes.has(node)) {
    const known = [...plan.nodes.keys()].join(", ")
    return fail(new ExecutionError({ message: `Agent or group not found: ${node}. The workflow has: ${known}` }))
  }
  return state.iterations < state.maxIterations ? { _tag: "RunStep", node } : { _tag: "ReportLimit", node }
}

/** Where a person who aborts the questions of a step leads the run, past all of its routes. */
const abortRoute = (node: PlanNode | undefined, output: Value): string | undefined =>
  node?.kind === "questions" && isMap(output) && get(output, "outcome") === "aborted" ? node.abort_route : undefined

const route = (plan: Plan, state: State, name: string): Command => {
  const node = plan.nodes.get(name)
  const output = state.outputs.get(name) ?? null
  const aborted = abortRoute(node, output)
  if (aborted !== undefined) return { _tag: "TakeRoute", from: name, to: aborted }
  return Either.match(chooseRoute(name, node?.routes ?? [], fullContext(workflowFacts(plan), state), output), {
    onLeft: fail,
    onRight: (choice) => ({ _tag: "TakeRoute", from: name, ...choice })
  })
}

/** The output of a run that ends in a `terminate` step, whose own result is stored already. */
export const terminationOutput = (plan: Plan, memory: Memory, step: string): Either.Either<ValueMap, TemplateError> => {
  const node = plan.nodes.get(step)
  const own = node?.kind === "terminate" ? node.output_template : undefined
  return renderOutput(own ?? plan.output, fullContext(workflowFacts(plan), memory))
}

const leave = (plan: Plan, state: State, overrides: ValueMap): Command =>
  Either.match(renderOutput(plan.output, fullContext(workflowFacts(plan), state)), {
    onLeft: fail,
    onRight: (output) => ({ _tag: "Complete", output: { ...output, ...overrides } })
  })

const terminate = (plan: Plan, state: State, termination: Termination): Command =>
  Either.match(terminationOutput(plan, state, termination.step), {
    onLeft: fail,
    onRight: (output) =>
      termination.status === "success"
        ? { _tag: "Complete", output, termination }
        : fail(new WorkflowTerminated({ reason: termination.reason, step: termination.step, output }))
  })

const interview = (plan: Plan, name: string, state: Interview): Command => {
  const node = plan.nodes.get(name)
  return node?.kind === "questions"
    ? { _tag: "Interview", node, interview: state, move: nextMove(state, node) }
    : fail(new ExecutionError({ message: `'${name}' asks no questions any more` }))
}

const next = (plan: Plan, state: State): Command | undefined => {
  const { phase } = state
  switch (phase._tag) {
    case "Ready":
      return start(plan, state, phase.node)
    case "AtLimit":
      return { _tag: "AskForIterations", node: phase.node }
    case "Refused":
      return fail(new MaxIterationsError({ limit: state.maxIterations, step: phase.node }))
    // Only a log that was cut off ends here: the step did not report, so it runs again.
    case "Running":
      return { _tag: "RunStep", node: phase.node }
    case "AtGate":
      return { _tag: "ResolveGate", gate: phase.gate }
    case "Interviewing":
      return interview(plan, phase.node, phase.interview)
    case "Finished":
      return route(plan, state, phase.node)
    case "Leaving":
      return leave(plan, state, phase.overrides)
    case "Terminated":
      return terminate(plan, state, phase.termination)
    case "NotStarted":
    case "Ended":
      return undefined
  }
}

/** Commands that may run side by side; none once the run has ended. */
export const decide = (plan: Plan, state: State): ReadonlyArray<Command> => {
  const command = next(plan, state)
  return command === undefined ? [] : [command]
}
