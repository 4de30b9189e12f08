/**
 * What to do next, from the plan and the state alone. Pure: it renders templates and evaluates conditions, since those
 * depend on nothing else, and leaves everything that touches the world to the interpreter.
 */
import { Either, Option } from "effect"
import { get, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import type { PlanNode } from "../language/PlanNode.ts"
import type { TemplateError } from "../language/template/TemplateError.ts"
import { judgeBudget } from "./Budget.ts"
import type { Command } from "./Command.ts"
import { trimContext } from "./ContextTrim.ts"
import { nextDialogMove, type Dialog } from "./Dialog.ts"
import {
  BudgetExceededError,
  ExecutionError,
  MaxIterationsError,
  WorkflowTerminated,
  type EngineError
} from "./EngineErrors.ts"
import { renderOutput } from "./FinalOutput.ts"
import { continueGroup, iterationsNeeded, startGroup } from "./GroupDecider.ts"
import { isGroup } from "./GroupResult.ts"
import type { GroupState } from "./GroupState.ts"
import { nextMove, type Interview } from "./Interview.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { chooseRoute } from "./Routing.ts"
import type { Termination } from "./Phase.ts"
import type { State } from "./State.ts"
import { fullContext, type Memory } from "./StepContext.ts"

const fail = (error: EngineError): Command => ({ _tag: "Fail", error })

const notFound = (plan: Plan, node: string): Command => {
  const known = [...plan.nodes.keys()].join(", ")
  return fail(new ExecutionError({ message: `Agent or group not found: ${node}. The workflow has: ${known}` }))
}

type Ready = Extract<State["phase"], { readonly _tag: "Ready" }>

const start = (plan: Plan, state: State, { node: name, trimmed }: Ready): Command => {
  const node = plan.nodes.get(name)
  if (node === undefined) return notFound(plan, name)
  const needed = isGroup(node) ? iterationsNeeded(node) : 1
  if (state.iterations + needed > state.maxIterations) return { _tag: "ReportLimit", node: name }
  const trim = trimmed ? Option.none() : trimContext(plan, state)
  if (Option.isSome(trim)) return { _tag: "TrimContext", trim: trim.value }
  const command: Command = isGroup(node) ? startGroup(node, state) : { _tag: "RunStep", node: name }
  return command._tag === "SkipGroup" && state.skips >= state.maxIterations
    ? { _tag: "ReportLimit", node: name }
    : command
}

const goOn = (plan: Plan, name: string, group: GroupState): Command => {
  const node = plan.nodes.get(name)
  return node !== undefined && isGroup(node) ? continueGroup(node, group) : notFound(plan, name)
}

/** Where a person who aborts the questions of a step leads the run, past all of its routes. */
const abortRoute = (node: PlanNode | undefined, output: Value): string | undefined =>
  node?.kind === "questions" && isMap(output) && get(output, "outcome") === "aborted" ? node.abort_route : undefined

const route = (plan: Plan, state: State, name: string): Command => {
  const node = plan.nodes.get(name)
  const output = state.outputs.get(name) ?? null
  const aborted = abortRoute(node, output)
  if (aborted !== undefined) return { _tag: "TakeRoute", from: name, to: aborted }
  return Either.match(
    chooseRoute(name, node?.routes ?? [], () => fullContext(workflowFacts(plan), state), output),
    {
      onLeft: fail,
      onRight: (choice) => ({ _tag: "TakeRoute", from: name, ...choice })
    }
  )
}

/** The budget is looked at after every node, before its routes. */
const leaveNode = (plan: Plan, state: State, node: string): Command => {
  const { spent } = state
  switch (judgeBudget(plan.limits, state)) {
    case "within":
      return route(plan, state, node)
    case "to-be-told":
      return { _tag: "ReportBudget", node, spent }
    case "stop":
      return fail(new BudgetExceededError({ budget: plan.limits.budget_usd ?? 0, spent, step: node }))
  }
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

const converse = (plan: Plan, name: string, dialog: Dialog): Command => {
  const node = plan.nodes.get(name)
  return node?.kind === "agent"
    ? { _tag: "Converse", node, dialog, move: nextDialogMove(dialog) }
    : fail(new ExecutionError({ message: `'${name}' is no agent any more that could go on with its dialog` }))
}

/** Undefined once the run has ended. */
export const decide = (plan: Plan, state: State): Command | undefined => {
  const { phase } = state
  switch (phase._tag) {
    case "Ready":
      return start(plan, state, phase)
    case "AtLimit":
      return { _tag: "AskForIterations", node: phase.node }
    case "Refused":
      return fail(new MaxIterationsError({ limit: state.maxIterations, step: phase.node }))
    // Only a log that was cut off ends here: the step did not report, so it runs again.
    case "Running":
      return { _tag: "RunStep", node: phase.node }
    case "InGroup":
      return goOn(plan, phase.node, phase.group)
    case "AtGate":
      return { _tag: "ResolveGate", gate: phase.gate }
    case "Interviewing":
      return interview(plan, phase.node, phase.interview)
    case "Conversing":
      return converse(plan, phase.node, phase.dialog)
    case "Finished":
      return leaveNode(plan, state, phase.node)
    case "Leaving":
      return leave(plan, state, phase.overrides)
    case "Terminated":
      return terminate(plan, state, phase.termination)
    case "NotStarted":
    case "Ended":
      return undefined
  }
}
