/**
 * Carries out the decider's commands for one run, and goes on asking it until there are none. What a command does to the
 * run is what it appends to the journal; nothing is remembered here.
 */
import type { FileSystem } from "@effect/platform/FileSystem"
import { Effect } from "effect"
import type { AgentProviders } from "../agents/AgentProvider.ts"
import type { StepNode } from "../language/PlanNode.ts"
import type { Environment } from "../platform/Environment.ts"
import type { ProcessRunner } from "../platform/ProcessRunner.ts"
import type { Command } from "./Command.ts"
import { decide, terminationOutput } from "./Decider.ts"
import type { RunRequest } from "./Engine.ts"
import { ExecutionError, type EngineError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import { IterationGrants } from "./IterationGrants.ts"
import type { Journal } from "./Journal.ts"
import { limitReached, limitResolved } from "./LimitEvents.ts"
import { providerOf, workflowFacts } from "./PlanFacts.ts"
import { nextExecution, withOutput, type State, type Termination } from "./State.ts"
import { stepContext } from "./StepContext.ts"
import { runAgentStep } from "./steps/AgentStep.ts"
import { runScriptStep } from "./steps/ScriptStep.ts"
import { runSetStep } from "./steps/SetStep.ts"
import type { StepRun } from "./steps/StepRun.ts"
import { runTerminateStep } from "./steps/TerminateStep.ts"
import { runWaitStep } from "./steps/WaitStep.ts"
import { workingDirectory } from "./WorkingDirectory.ts"

/** What steps need of the world. */
export type StepServices = AgentProviders | ProcessRunner | Environment | FileSystem

export interface RunInProgress {
  readonly request: RunRequest
  readonly journal: Journal
  /** Seconds until the whole run is out of time; infinite without a limit. */
  readonly remaining: Effect.Effect<number>
}

type Executed<R = never> = Effect.Effect<void, EngineError | EventSinkError, R>

const unsupported = (node: string): ExecutionError =>
  new ExecutionError({ message: `'${node}' is of a kind that this version cannot run` })

const runStep = Effect.fn("Interpreter.runStep")(function* (run: RunInProgress, state: State, node: StepNode) {
  const { journal, remaining, request } = run
  const { plan } = request
  const context = yield* stepContext(plan.context.mode, workflowFacts(plan), state, {
    type: node.kind,
    input: node.input
  })
  const directory = node.kind === "agent" ? yield* workingDirectory(node, plan, context) : undefined
  const execution = nextExecution(state, node.name)
  yield* journal.append("agent_started", { agent_name: node.name, iteration: execution, agent_type: node.kind })
  const waitingSince = state.phase._tag === "Running" ? state.phase.waitingSince : undefined
  const resumed = waitingSince === undefined ? {} : { waitingSince }
  const stepRun = <Node extends StepNode>(step: Node): StepRun<Node> => ({
    step,
    context,
    execution,
    journal,
    ...resumed
  })
  switch (node.kind) {
    case "agent": {
      const provider = providerOf(node, plan, request.provider)
      return yield* runAgentStep(stepRun(node), { plan, provider, workingDirectory: directory, remaining })
    }
    case "script":
      return yield* runScriptStep(stepRun(node))
    case "set":
      return yield* runSetStep(stepRun(node))
    case "wait":
      return yield* runWaitStep(stepRun(node))
    case "terminate":
      return yield* runTerminateStep(stepRun(node), (stored) =>
        terminationOutput(plan, withOutput(state, node.name, stored), node.name)
      )
    default:
      return yield* unsupported(node.name)
  }
})

const terminationFields = ({ reason, status, step }: Termination) =>
  ({ termination_reason: reason, terminated_by: step, is_explicit: true, status }) as const

const askForIterations = Effect.fn("Interpreter.askForIterations")(function* (
  run: RunInProgress,
  state: State,
  step: string
) {
  const { iterations, maxIterations } = state
  const grants = yield* IterationGrants
  const granted = yield* grants.ask({ step, iterations, maxIterations })
  yield* run.journal.append("iteration_limit_resolved", limitResolved(step, granted))
})

const complete = Effect.fn("Interpreter.complete")(function* (
  { journal }: RunInProgress,
  { output, termination }: Extract<Command, { readonly _tag: "Complete" }>
) {
  const told = termination === undefined ? {} : terminationFields(termination)
  yield* journal.append("workflow_completed", { elapsed: yield* journal.elapsed, output, ...told })
})

const execute = (run: RunInProgress, state: State, command: Command): Executed<StepServices> => {
  const { journal, request } = run
  switch (command._tag) {
    case "RunStep": {
      const node = request.plan.nodes.get(command.node)
      if (node === undefined || node.kind === "parallel" || node.kind === "for_each") return unsupported(command.node)
      return runStep(run, state, node)
    }
    case "ReportLimit":
      return journal.append("iteration_limit_reached", limitReached(state, command.node))
    case "AskForIterations":
      return askForIterations(run, state, command.node)
    case "TakeRoute": {
      const { from, output, to } = command
      return journal.append("route_taken", {
        from_agent: from,
        to_agent: to,
        ...(output === undefined ? {} : { output })
      })
    }
    case "Complete":
      return complete(run, command)
    case "Fail":
      return Effect.fail(command.error)
  }
}

/** Goes on from wherever the journal stands until the run has ended or something fails. */
export const interpret = Effect.fn("Interpreter.interpret")(function* (run: RunInProgress) {
  for (;;) {
    const state = yield* run.journal.state
    const commands = decide(run.request.plan, state)
    if (commands.length === 0) return
    yield* Effect.forEach(commands, (command) => execute(run, state, command), {
      concurrency: "unbounded",
      discard: true
    })
  }
})
