/** One LLM step: its fields are rendered, the provider is asked, the answer becomes the output (workflow language §5.10). */
import type { FileSystem } from "@effect/platform/FileSystem"
import { Duration, Effect } from "effect"
import { AgentProviders, type AgentRequest } from "../../agents/AgentProvider.ts"
import type { Plan } from "../../language/Plan.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import type { Environment } from "../../platform/Environment.ts"
import { callAgent, type AgentAnswer } from "../AgentCall.ts"
import { AgentTimeoutError, type EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { stepTools } from "../StepTools.ts"
import { tokensOf } from "../TokenCost.ts"
import { validated } from "./AgentValidation.ts"
import { renderAgent } from "./RenderAgent.ts"
import { stopwatch, type StepEffect, type StepRun } from "./StepRun.ts"

export interface AgentSetting {
  readonly plan: Plan
  readonly provider: string
  /** Absolute. */
  readonly workingDirectory: string | undefined
  /** Seconds until the whole run is out of time; infinite without a limit. */
  readonly remaining: Effect.Effect<number>
  /** What a person has said to the run so far. */
  readonly guidance: ReadonlyArray<string>
}

export type AgentServices = AgentProviders | Environment | FileSystem

type Run = StepRun<AgentNode>

/** What came out, for whoever reports it: the step itself, or the group that it is a member of. */
export interface Answered extends Omit<AgentAnswer, "model"> {
  readonly model: string | null
}

/** A run that ends sooner than the step may last fails with its own timeout instead. */
const withTimeout = (
  work: Effect.Effect<Answered, EngineError | EventSinkError, AgentServices>,
  { journal, step }: Run,
  { remaining }: AgentSetting
) =>
  Effect.gen(function* () {
    const limit = step.timeout_seconds
    if (limit === undefined || (yield* remaining) <= limit) return yield* work
    const elapsed = yield* stopwatch
    return yield* work.pipe(
      Effect.timeoutFail({
        duration: Duration.seconds(limit),
        onTimeout: () => new AgentTimeoutError({ elapsed: limit, limit, step: step.name })
      }),
      Effect.tapErrorTag("AgentTimeoutError", () =>
        Effect.flatMap(elapsed, (elapsed) =>
          journal.append("agent_timeout", { agent_name: step.name, elapsed, timeout_seconds: limit })
        )
      )
    )
  })

/** Asks within the step's time limit, and reports what happens on the way but not the end. */
export const askAgent = (run: Run, setting: AgentSetting): StepEffect<AgentServices, Answered> =>
  Effect.gen(function* () {
    const { step } = run
    const asked = yield* renderAgent(run, setting)
    const providers = yield* AgentProviders
    const provider = yield* providers.get(setting.provider)
    // Once for all calls: what tools have answered is kept for the next one.
    const { plan, workingDirectory } = setting
    const tools = yield* Effect.cached(stepTools({ step, plan, workingDirectory, journal: run.journal }))
    const answer = (request: AgentRequest) => {
      const work = tools.pipe(
        Effect.map((tools) => (tools === undefined ? request : { ...request, tools })),
        Effect.flatMap((request) => callAgent(provider, request, step.retry, run.journal)),
        Effect.map(({ model, ...answered }) => ({ ...answered, model: model ?? asked.model ?? null }))
      )
      return withTimeout(work, run, setting)
    }
    const first = yield* answer(asked)
    const { validator } = step
    return validator === undefined
      ? first
      : yield* validated({ run, setting, validator, provider, asked }, first, answer)
  })

export const runAgentStep = (run: Run, setting: AgentSetting): StepEffect<AgentServices> =>
  Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const answered = yield* askAgent(run, setting)
    const { model, output } = answered
    yield* run.journal.append("agent_completed", {
      agent_name: run.step.name,
      agent_type: "agent",
      elapsed: yield* elapsed,
      model,
      ...tokensOf(answered, setting.plan),
      output,
      output_keys: Object.keys(output)
    })
  })
