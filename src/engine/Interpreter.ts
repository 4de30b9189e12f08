/**
 * Carries out the decider's commands for one workflow, and goes on asking it until there are none. What a command does to
 * the run is what it appends to the journal; nothing is remembered here.
 */
import { Effect } from "effect"
import type { AgentNode, PlanNode, StepNode } from "../language/PlanNode.ts"
import type { Plan } from "../language/Plan.ts"
import type { Command } from "./Command.ts"
import { decide, terminationOutput } from "./Decider.ts"
import { ExecutionError, type EngineError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import { failGroup, finishGroup, skipGroup, startGroup } from "./GroupEvents.ts"
import { isGroup } from "./GroupResult.ts"
import { runMembers } from "./GroupRun.ts"
import { heardGuidance, hearGuidance } from "./Guidance.ts"
import { IterationGrants } from "./IterationGrants.ts"
import { limitReached, limitResolved } from "./LimitEvents.ts"
import { providerOf, workflowFacts } from "./PlanFacts.ts"
import type { RunInProgress, RunWorkflow, StepServices } from "./RunInProgress.ts"
import type { Termination } from "./Phase.ts"
import { nextExecution, withOutput, type State } from "./State.ts"
import { tellingFailure } from "./StepFailure.ts"
import { fullContext, stepContext } from "./StepContext.ts"
import { runAgentStep, type AgentSetting } from "./steps/AgentStep.ts"
import { beginDialogStep, makeDialogMove } from "./steps/DialogStep.ts"
import { runMcpStep } from "./steps/McpStep.ts"
import { presentGate, resolveGate } from "./steps/GateStep.ts"
import { makeMove, presentQuestions } from "./steps/QuestionsStep.ts"
import { runScriptStep } from "./steps/ScriptStep.ts"
import { runSetStep } from "./steps/SetStep.ts"
import type { StepRun } from "./steps/StepRun.ts"
import { runSubWorkflowStep } from "./steps/SubWorkflowStep.ts"
import { runTerminateStep } from "./steps/TerminateStep.ts"
import { runWaitStep } from "./steps/WaitStep.ts"
import { workingDirectory } from "./WorkingDirectory.ts"

type Executed = Effect.Effect<unknown, EngineError | EventSinkError, StepServices>

const unsupported = (node: string): ExecutionError =>
  new ExecutionError({ message: `'${node}' is of a kind that this version cannot run` })

const nodeNamed = (plan: Plan, name: string): Effect.Effect<PlanNode, ExecutionError> =>
  Effect.mapError(Effect.fromNullable(plan.nodes.get(name)), () => unsupported(name))

/** Its path tells a prompt from those that are open beside it, its number from those before it. */
const nextPromptId = ({ path, runId }: RunInProgress, { prompts }: State, step: string): string =>
  `${[...path, step].join("/")}:${runId}:${prompts + 1}`

/** What an LLM step needs beside itself. */
const agentSetting = (
  { journal, openSessions, remaining, request: { plan, provider } }: RunInProgress,
  node: AgentNode,
  workingDirectory: string | undefined
): Effect.Effect<AgentSetting> =>
  Effect.map(heardGuidance(journal), (guidance) => ({
    plan,
    provider: providerOf(node, plan, provider),
    workingDirectory,
    remaining,
    guidance,
    openSessions
  }))

const contextOf = ({ request: { plan } }: RunInProgress, state: State, { input, kind }: StepNode) =>
  stepContext(plan.context.mode, workflowFacts(plan), state, { type: kind, input })

const runStep = Effect.fn("Interpreter.runStep")(function* (
  run: RunInProgress,
  state: State,
  node: StepNode,
  runWorkflow: RunWorkflow
) {
  const { journal, request } = run
  const { plan } = request
  const context = yield* contextOf(run, state, node)
  const directory =
    node.kind === "agent" || node.kind === "mcp" ? yield* workingDirectory(node, plan, context) : undefined
  const execution = nextExecution(state, node.name)
  yield* journal.append("agent_started", {
    agent_name: node.name,
    iteration: execution,
    agent_type: node.kind,
    ...(node.kind === "agent" ? { working_dir: directory ?? null } : {})
  })
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
      const setting = yield* agentSetting(run, node, directory)
      return yield* node.dialog === undefined || request.gates === "skip"
        ? runAgentStep(stepRun(node), setting)
        : beginDialogStep(stepRun(node), setting, node.dialog.trigger_prompt)
    }
    case "script":
      return yield* runScriptStep(stepRun(node))
    case "mcp":
      return yield* runMcpStep(stepRun(node), { plan, workingDirectory: directory })
    case "set":
      return yield* runSetStep(stepRun(node))
    case "wait":
      return yield* runWaitStep(stepRun(node))
    case "terminate":
      return yield* runTerminateStep(stepRun(node), (stored) =>
        terminationOutput(plan, withOutput(state, node.name, stored), node.name)
      )
    case "workflow":
      return yield* runSubWorkflowStep(stepRun(node), { parent: run, slot: node.name, runWorkflow })
    // People see everything, whatever the context mode.
    case "human_gate": {
      const context = fullContext(workflowFacts(plan), state)
      return yield* presentGate(node, { context, journal, promptId: nextPromptId(run, state, node.name) })
    }
    case "questions":
      return yield* presentQuestions(node, { context: fullContext(workflowFacts(plan), state), journal, memory: state })
  }
})

/** The context is the one that the step was asked with: nothing else has happened since. */
const converse = Effect.fn("Interpreter.converse")(function* (
  run: RunInProgress,
  state: State,
  { dialog, move, node }: Extract<Command, { readonly _tag: "Converse" }>
) {
  const { journal, request } = run
  const context = yield* contextOf(run, state, node)
  const directory = yield* workingDirectory(node, request.plan, context)
  const setting = yield* agentSetting(run, node, directory)
  const promptId = nextPromptId(run, state, node.name)
  const stepRun = { step: node, context, execution: nextExecution(state, node.name), journal }
  return yield* makeDialogMove({ run: stepRun, setting, dialog, promptId }, move)
})

const terminationFields = ({ reason, status, step }: Termination) =>
  ({ termination_reason: reason, terminated_by: step, is_explicit: true, status }) as const

const askForIterations = Effect.fn("Interpreter.askForIterations")(function* (
  run: RunInProgress,
  state: State,
  step: string
) {
  const { iterations, maxIterations } = state
  const node = yield* nodeNamed(run.request.plan, step)
  const grants = yield* IterationGrants
  const granted = yield* grants.ask({ step, iterations, maxIterations })
  yield* run.journal.append("iteration_limit_resolved", limitResolved(node, granted))
})

const complete = Effect.fn("Interpreter.complete")(function* (
  { journal }: RunInProgress,
  { output, termination }: Extract<Command, { readonly _tag: "Complete" }>
) {
  const told = termination === undefined ? {} : terminationFields(termination)
  yield* journal.append("workflow_completed", { elapsed: yield* journal.elapsed, output, ...told })
})

const execute = (run: RunInProgress, state: State, command: Command, runWorkflow: RunWorkflow): Executed => {
  const { journal, request } = run
  switch (command._tag) {
    case "RunStep":
      return Effect.flatMap(nodeNamed(request.plan, command.node), (node) =>
        isGroup(node) ? unsupported(node.name) : tellingFailure(journal, node, runStep(run, state, node, runWorkflow))
      )
    case "TrimContext": {
      const { dropped, outputs, strategy } = command.trim
      return journal.append("context_trimmed", { strategy, dropped, outputs })
    }
    case "StartGroup":
      return startGroup(journal, command)
    case "SkipGroup":
      return skipGroup(journal, command)
    case "RunMembers":
      return tellingFailure(journal, command.node, runMembers(run, state, command, runWorkflow))
    case "FinishGroup":
      return finishGroup(journal, command)
    case "FailGroup":
      return failGroup(journal, command)
    case "ReportBudget": {
      const { budget_mode, budget_usd = 0 } = request.plan.limits
      const { node: current_agent, spent: spent_usd } = command
      return journal.append("budget_exceeded", { budget_usd, spent_usd, budget_mode, current_agent })
    }
    case "ResolveGate":
      return Effect.flatMap(nodeNamed(request.plan, command.gate.step), (node) =>
        tellingFailure(journal, node, resolveGate(command.gate, journal, request.gates ?? "ask"))
      )
    case "Interview": {
      const { interview, move, node } = command
      const promptId = nextPromptId(run, state, node.name)
      const setting = { node, journal, promptId, gates: request.gates ?? "ask" }
      return tellingFailure(journal, node, makeMove(setting, interview, move))
    }
    case "Converse":
      return converse(run, state, command)
    case "ReportLimit":
      return Effect.flatMap(nodeNamed(request.plan, command.node), (node) =>
        journal.append("iteration_limit_reached", limitReached(state, node, request.gates))
      )
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
    case "FailStart":
      return tellingFailure(journal, command.node, Effect.fail(command.error))
  }
}

/** Goes on from wherever the journal stands until the workflow has ended or something fails. */
export const interpret = Effect.fn("Interpreter.interpret")(function* (run: RunInProgress, runWorkflow: RunWorkflow) {
  for (;;) {
    const { phase } = yield* run.journal.state
    // A step that runs already was cut off and runs again.
    if (phase._tag === "Ready" || phase._tag === "Running") yield* hearGuidance(run.journal, phase.node)
    const state = yield* run.journal.state
    const command = decide(run.request.plan, state)
    if (command === undefined) return
    // A loop of steps that wait for nothing would let nobody else act: no signal, no cancel request.
    yield* Effect.ensuring(execute(run, state, command, runWorkflow), Effect.yieldNow())
  }
})
