/** Runs another workflow as one step, or as one item of a for_each group (workflow language §5.9). */
import { Effect, Either } from "effect"
import { get, isMap, type ValueMap } from "../../domain/Value.ts"
import { parseMappedInput } from "../../language/Coercion.ts"
import type { SubWorkflowNode } from "../../language/PlanNode.ts"
import { MAX_DEPTH } from "../../language/SubWorkflowLimits.ts"
import { renderTemplate } from "../../language/template/Template.ts"
import {
  ExecutionError,
  failureOf,
  isEngineError,
  SubworkflowFailed,
  SubworkflowTerminatedError,
  type EngineError
} from "../EngineErrors.ts"
import { nestedJournal } from "../Journal.ts"
import { workflowFacts } from "../PlanFacts.ts"
import type { RunInProgress, RunWorkflow, StepServices } from "../RunInProgress.ts"
import type { State } from "../State.ts"
import { inherit } from "../SubWorkflows.ts"
import { WorkflowResolver } from "../WorkflowResolver.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

type Run = StepRun<SubWorkflowNode>

interface Setting {
  /** The workflow that the step is part of. */
  readonly parent: RunInProgress
  /** Names this sub-workflow among those of its parent. */
  readonly slot: string
  readonly runWorkflow: RunWorkflow
}

const checkDepth = ({ step }: Run, { path }: RunInProgress): Either.Either<void, ExecutionError> => {
  const limit = Math.min(MAX_DEPTH, step.max_depth ?? MAX_DEPTH)
  if (path.length < limit) return Either.void
  const message = `Step '${step.name}': Sub-workflow depth limit exceeded (${limit}). Does the workflow call itself?`
  return Either.left(new ExecutionError({ message }))
}

const inputsOf = ({ context, step }: Run): Either.Either<ValueMap, ExecutionError> => {
  if (step.input_mapping === undefined) {
    const workflow = get(context, "workflow") ?? {}
    const inputs = isMap(workflow) ? get(workflow, "input") : undefined
    return Either.right(inputs !== undefined && isMap(inputs) ? inputs : {})
  }
  return Either.all(
    Object.fromEntries(
      Object.entries(step.input_mapping).map(([name, template]) => [
        name,
        renderTemplate(template, context).pipe(
          Either.map(parseMappedInput),
          Either.mapLeft(
            ({ message }) => new ExecutionError({ message: `Step '${step.name}', input_mapping.${name}: ${message}` })
          )
        )
      ])
    )
  )
}

type FailedEnding = Extract<Extract<State["phase"], { readonly _tag: "Ended" }>["ending"], { readonly _tag: "Failed" }>

const failureFrom = ({ event }: FailedEnding, { step }: Run): EngineError => {
  const { elapsed_seconds: elapsed, output = {}, terminated_by: terminatedBy, termination_reason: reason } = event
  if (terminatedBy !== undefined && reason !== undefined) {
    return new SubworkflowTerminatedError({ workflow: step.workflow, reason, terminatedBy, output })
  }
  const { current_agent, error_type: errorType, message, timeout_seconds: limit } = event
  const timeout =
    elapsed === undefined || limit === undefined ? undefined : { elapsed, limit, step: current_agent ?? null }
  return new SubworkflowFailed({ errorType, message, timeout })
}

/** Starts the sub-workflow, or goes on with one that the log was cut off in. */
const runChild = Effect.fn("SubWorkflowStep.runChild")(function* (run: Run, setting: Setting) {
  const { parent, runWorkflow, slot } = setting
  const { gates, plan, provider } = parent.request
  yield* checkDepth(run, parent)
  const { resolve } = yield* WorkflowResolver
  const resolved = yield* Effect.mapError(
    resolve(run.step.workflow, workflowFacts(plan).directory),
    ({ message }) => new ExecutionError({ message: `Step '${run.step.name}': ${message}` })
  )
  const child = inherit(resolved.plan, plan)
  const journal = yield* nestedJournal(parent.journal, slot)
  const own = Effect.map(journal.elapsed, (elapsed) => (child.limits.timeout_seconds ?? Infinity) - elapsed)
  yield* runWorkflow({
    runId: parent.runId,
    request: {
      runId: "",
      plan: child,
      inputs: yield* inputsOf(run),
      metadata: {},
      ...(gates === undefined ? {} : { gates }),
      ...(provider === undefined ? {} : { provider })
    },
    journal,
    openSessions: parent.openSessions,
    remaining: Effect.zipWith(own, parent.remaining, Math.min),
    path: [...parent.path, slot]
  })
  const { phase } = yield* journal.state
  if (phase._tag !== "Ended" || phase.ending._tag === "Cancelled") return yield* Effect.interrupt
  if (phase.ending._tag === "Failed") return yield* failureFrom(phase.ending, run)
  return phase.ending.output
})

export const runSubWorkflowStep = (run: Run, setting: Setting): StepEffect<StepServices, ValueMap> =>
  Effect.gen(function* () {
    const { execution, journal, step } = run
    const elapsed = yield* stopwatch
    const { parent, slot } = setting
    const place = { agent_name: step.name, parent_path: parent.path, slot_key: slot }
    const { children } = yield* parent.journal.state
    if (!children.has(slot)) {
      yield* journal.append("subworkflow_started", { ...place, iteration: execution, workflow: step.workflow })
    }
    const output = yield* Effect.tapError(runChild(run, setting), (error) =>
      isEngineError(error)
        ? Effect.flatMap(elapsed, (elapsed) =>
            journal.append("subworkflow_failed", { ...place, iteration: execution, elapsed, ...failureOf(error) })
          )
        : Effect.void
    )
    yield* journal.append("subworkflow_completed", {
      ...place,
      iteration: execution,
      elapsed: yield* elapsed,
      output
    })
    return output
  })
