/** One member of a group: its context, its work by kind of step, and what came out. It reports everything but its end. */
import { Effect } from "effect"
import type { SessionTurn } from "../domain/events/EventParts.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import type { AgentNode, StepNode } from "../language/PlanNode.ts"
import { ExecutionError } from "./EngineErrors.ts"
import { heardGuidance, hearGuidance } from "./Guidance.ts"
import { memberJournal } from "./Journal.ts"
import type { Member } from "./Member.ts"
import { providerOf, workflowFacts } from "./PlanFacts.ts"
import type { RunInProgress, RunWorkflow, StepServices } from "./RunInProgress.ts"
import { nextExecution, type State } from "./State.ts"
import { stepContext } from "./StepContext.ts"
import { askAgent, sessionTold } from "./steps/AgentStep.ts"
import { runMcpStep } from "./steps/McpStep.ts"
import { runSetStep } from "./steps/SetStep.ts"
import type { StepEffect, StepRun } from "./steps/StepRun.ts"
import { runSubWorkflowStep } from "./steps/SubWorkflowStep.ts"
import { NO_TOKENS, tokensOf, type TokenCost } from "./TokenCost.ts"
import { workingDirectory } from "./WorkingDirectory.ts"

export interface MemberSetting {
  readonly run: RunInProgress
  /** As it was when the group started. */
  readonly state: State
  readonly runWorkflow: RunWorkflow
}

export interface MemberReport {
  readonly output: Value
  readonly model: string | null
  readonly tokens: TokenCost
  readonly session?: SessionTurn
}

const reportAgentStart = ({ run }: MemberSetting, { group, index, key }: Member, directory: string | undefined) => {
  const place = { group_name: group.name, index, working_dir: directory ?? null }
  return group.kind === "parallel"
    ? run.journal.append("parallel_agent_started", { ...place, agent_name: key })
    : run.journal.append("for_each_agent_started", {
        ...place,
        agent_name: `${group.name}[${key}]`,
        item_key: key
      })
}

const runAgent = Effect.fn("MemberStep.runAgent")(function* (
  setting: MemberSetting,
  member: Member,
  stepRun: StepRun<AgentNode>
) {
  const { openSessions, remaining, request } = setting.run
  const { group, key } = member
  const { plan } = request
  const { context, step } = stepRun
  const directory = yield* workingDirectory(step, plan, context)
  yield* reportAgentStart(setting, member, directory)
  const named = group.kind === "parallel" ? step : { ...step, name: `${step.name}[${key}]` }
  const provider = providerOf(step, plan, request.provider)
  yield* hearGuidance(stepRun.journal, named.name)
  const guidance = yield* heardGuidance(stepRun.journal)
  const agentSetting = { plan, provider, workingDirectory: directory, remaining, guidance, openSessions }
  const answered = yield* askAgent({ ...stepRun, step: named }, agentSetting)
  const { model, output } = answered
  return { output, model, tokens: tokensOf(answered, plan), ...sessionTold(answered) }
})

const withoutModel = (output: Value): MemberReport => ({ output, model: null, tokens: NO_TOKENS })

export const runMemberStep = (setting: MemberSetting, member: Member): StepEffect<StepServices, MemberReport> =>
  Effect.gen(function* () {
    const { run, runWorkflow, state } = setting
    const { group, mark, slot, step, variables } = member
    const { plan } = run.request
    const seen = yield* stepContext(plan.context.mode, workflowFacts(plan), state, {
      type: step.kind,
      input: step.input
    })
    const context: ValueMap = { ...seen, ...variables }
    const stepRun = <Node extends StepNode>(step: Node): StepRun<Node> => ({
      step,
      context,
      execution: nextExecution(state, group.name),
      journal: memberJournal(run.journal, mark)
    })
    switch (step.kind) {
      case "agent":
        return yield* runAgent(setting, member, stepRun(step))
      case "set":
        return withoutModel(yield* runSetStep(stepRun(step)))
      case "mcp": {
        const directory = yield* workingDirectory(step, plan, context)
        return withoutModel(yield* runMcpStep(stepRun(step), { plan, workingDirectory: directory }))
      }
      case "workflow":
        return withoutModel(yield* runSubWorkflowStep(stepRun(step), { parent: run, slot, runWorkflow }))
      default: {
        const message = `Step '${step.name}' of type ${step.kind} cannot run in group '${group.name}'`
        return yield* new ExecutionError({ message })
      }
    }
  })
