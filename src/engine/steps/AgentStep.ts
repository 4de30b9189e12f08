/** One LLM step: its fields are rendered, the provider is asked, the answer becomes the output (workflow language §5.10). */
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { Duration, Effect } from "effect"
import { resolve } from "node:path"
import { AgentProviders, type AgentProviderShape, type AgentRequest } from "../../agents/AgentProvider.ts"
import type { SessionTurn } from "../../domain/events/EventParts.ts"
import type { Plan } from "../../language/Plan.ts"
import type { AgentNode } from "../../language/PlanNode.ts"
import type { Environment } from "../../platform/Environment.ts"
import { callAgent, type AgentAnswer } from "../AgentCall.ts"
import { AgentTimeoutError, type EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import type { OpenSessions } from "../OpenSessions.ts"
import { warnOfPrice } from "../PriceWarnings.ts"
import { sessionName } from "../Sessions.ts"
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
  readonly openSessions: OpenSessions
  /** What the step has talked about with a person since it gave its first answer. */
  readonly transcript?: string
}

export type AgentServices = AgentProviders | Environment | FileSystem | Path

type Run = StepRun<AgentNode>

/** What came out, for whoever reports it: the step itself, or the group that it is a member of. */
export interface Answered extends Omit<AgentAnswer, "model"> {
  readonly model: string | null
  /** Present when the step has a `session_key`. */
  readonly session?: SessionTurn
}

/** A step that is rendered and can be asked, more than once. */
export interface ReadyAgent {
  readonly asked: AgentRequest
  readonly provider: AgentProviderShape
  /** Within the step's time limit. */
  readonly answer: (request: AgentRequest) => StepEffect<AgentServices, Answered>
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

/** The session of a step, but for what it says there. Without a working directory of its own it is that of the run. */
const sessionOf = ({ session_key: key }: AgentNode, { workingDirectory }: AgentSetting) =>
  key === undefined ? undefined : { key, working_dir: workingDirectory ?? resolve(".") }

/** Nobody else talks in the step's session meanwhile. */
export const inSession = <A, R>({ step }: Run, setting: AgentSetting, work: StepEffect<R, A>): StepEffect<R, A> => {
  const session = sessionOf(step, setting)
  return session === undefined ? work : setting.openSessions.hold(sessionName(session), step.name)(work)
}

/** Renders the step. Its session goes on from what the log holds now. */
export const prepareAgent = Effect.fn("AgentStep.prepare")(function* (run: Run, setting: AgentSetting) {
  const { journal, step } = run
  const { own, request } = yield* renderAgent(run, setting)
  const providers = yield* AgentProviders
  const provider = yield* providers.get(setting.provider)
  const place = sessionOf(step, setting)
  const { sessions } = yield* journal.state
  const history = place === undefined ? undefined : sessions.get(sessionName(place))
  const session = place === undefined ? {} : { session: { ...place, prompt: own } }
  const { plan, workingDirectory } = setting
  // Once for all calls: what tools have answered is kept for the next one.
  const tools = yield* Effect.cached(stepTools({ step, plan, workingDirectory, journal }))
  const onAwaitingModel = journal.append("agent_turn_start", { agent_name: step.name, turn: "awaiting_model" })
  const answer = (request: AgentRequest) =>
    tools.pipe(
      Effect.map((tools) => ({ ...request, onAwaitingModel, ...(tools === undefined ? {} : { tools }) })),
      Effect.flatMap((request) => callAgent(provider, request, step.retry, journal)),
      Effect.map(({ model, ...answered }): Answered => ({
        ...answered,
        ...session,
        model: model ?? request.model ?? null
      })),
      (work) => withTimeout(work, run, setting),
      Effect.tap((answered) => warnOfPrice(journal, answered, plan))
    )
  return { asked: history === undefined ? request : { ...request, history }, provider, answer } satisfies ReadyAgent
})

/** The answer, or another one that a validator wanted. */
export const checkedAnswer = (
  run: Run,
  setting: AgentSetting,
  { answer, asked, provider }: ReadyAgent,
  first: Answered
): StepEffect<AgentServices, Answered> => {
  const { validator } = run.step
  return validator === undefined
    ? Effect.succeed(first)
    : validated({ run, setting, validator, provider, asked }, first, answer)
}

/** Asks within the step's time limit, and reports what happens on the way but not the end. */
export const askAgent = (run: Run, setting: AgentSetting): StepEffect<AgentServices, Answered> =>
  Effect.flatMap(prepareAgent(run, setting), (ready) =>
    Effect.flatMap(ready.answer(ready.asked), (first) => checkedAnswer(run, setting, ready, first))
  ).pipe((work) => inSession(run, setting, work))

/** For the event that ends the step. */
export const sessionTold = ({ session }: Answered) => (session === undefined ? {} : { session })

/** `elapsed`: seconds. */
export const completeAgent = ({ journal, step }: Run, { plan }: AgentSetting, answered: Answered, elapsed: number) => {
  const { model, output } = answered
  return journal.append("agent_completed", {
    agent_name: step.name,
    agent_type: "agent",
    elapsed,
    model,
    ...tokensOf(answered, plan),
    output,
    output_keys: Object.keys(output),
    ...sessionTold(answered)
  })
}

export const runAgentStep = (run: Run, setting: AgentSetting): StepEffect<AgentServices> =>
  Effect.gen(function* () {
    const elapsed = yield* stopwatch
    const answered = yield* askAgent(run, setting)
    yield* completeAgent(run, setting, answered, yield* elapsed)
  })
