/**
 * One conversation with a provider until there is a usable output: passing failures are retried, unusable replies are sent
 * back with a correction (workflow language §5.12 and §5.13).
 */
import { Duration, Effect, Either, Random } from "effect"
import {
  ProviderError,
  type AgentProviderShape,
  type AgentRequest,
  type AgentResponse,
  type AgentUsage,
  type RetryDefaults
} from "../agents/AgentProvider.ts"
import { addUsage, NO_USAGE } from "../agents/TokenUsage.ts"
import { stringifyJson, type ValueMap } from "../domain/Value.ts"
import type { Retry } from "../language/document/Retry.ts"
import { structuredOutput, unstructuredOutput, type Unusable } from "./AgentOutput.ts"
import { failureOf, type ValidationError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"
import { retryDelay, retryPolicy, shouldRetry, type RetryPolicy } from "./RetryPolicy.ts"

export interface AgentAnswer {
  readonly output: ValueMap
  readonly model?: string
  /** Of all replies together, the unusable ones included. */
  readonly usage: AgentUsage
}

/** Calls of tools are told in the log, and a log that takes nothing more ends the step. */
export type StepRequest = AgentRequest<EventSinkError>

interface Call {
  readonly provider: AgentProviderShape
  readonly journal: Journal
  readonly policy: RetryPolicy
  readonly corrections: number
}

const DEFAULTS: RetryDefaults = { attempts: 3, corrections: 2 }
const MAX_SHOWN = 500

const sessionOver = (provider: string, seconds: number): ProviderError =>
  new ProviderError({
    provider,
    category: "timeout",
    retryable: false,
    message: `the session took longer than max_session_seconds (${seconds}s); raise it if the step needs longer`
  })

/** One session with the provider. Another one would not be quicker, so that one is too slow is final. */
const execute = ({ provider }: Call, request: StepRequest) => {
  const seconds = request.maxSessionSeconds
  const session = provider.execute(request)
  return seconds === undefined
    ? session
    : Effect.timeoutFail(session, {
        duration: Duration.seconds(seconds),
        onTimeout: () => sessionOver(provider.name, seconds)
      })
}

const attempt = (
  call: Call,
  request: StepRequest,
  number: number
): Effect.Effect<AgentResponse, ProviderError | EventSinkError> =>
  Effect.catchTag(execute(call, request), "ProviderError", (error) =>
    shouldRetry(call.policy, error, number)
      ? Effect.gen(function* () {
          const delay = retryDelay(call.policy, error, number, yield* Random.next)
          yield* call.journal.append("agent_retry", {
            agent_name: request.step,
            attempt: number,
            max_attempts: call.policy.maxAttempts,
            error: error.message,
            ...failureOf(error),
            delay: Duration.toSeconds(delay)
          })
          yield* Effect.sleep(delay)
          return yield* attempt(call, request, number + 1)
        })
      : Effect.fail(error)
  )

const textOf = (content: AgentResponse["content"]): string =>
  content._tag === "Text" ? content.text : stringifyJson(content.value)

const correctionOf = (request: StepRequest, unusable: Unusable): string => {
  const fields = Object.entries(request.output ?? {}).map(([name, { type }]) => `"${name}" (${type})`)
  return (
    `Your reply cannot be used: ${unusable.message}\n` +
    `Reply again with one JSON object and nothing else. Its fields: ${fields.join(", ")}.`
  )
}

const giveUp = (call: Call, unusable: Unusable): ProviderError | ValidationError =>
  unusable.reason === "schema"
    ? unusable.error
    : new ProviderError({
        provider: call.provider.name,
        category: "malformed",
        retryable: false,
        message: `${unusable.message}. Ask for JSON in the prompt, or raise retry.max_parse_recovery_attempts.`
      })

const converse = (
  call: Call,
  request: StepRequest,
  spent: AgentUsage
): Effect.Effect<AgentAnswer, ProviderError | ValidationError | EventSinkError> =>
  Effect.gen(function* () {
    const { content, model, usage } = yield* attempt(call, request, 1)
    const total = addUsage(spent, usage)
    yield* call.journal.append("agent_message", { agent_name: request.step, content: textOf(content) })
    const output =
      request.output === undefined
        ? Either.right(unstructuredOutput(content))
        : structuredOutput(request.step, request.output, content)
    if (Either.isRight(output)) {
      return { output: output.right, usage: total, ...(model === undefined ? {} : { model }) }
    }
    const round = request.turns.length + 1
    if (round > call.corrections) return yield* giveUp(call, output.left)
    yield* call.journal.append("agent_parse_recovery", {
      agent_name: request.step,
      attempt: round,
      max_attempts: call.corrections,
      reason: output.left.reason,
      error: output.left.message.slice(0, MAX_SHOWN)
    })
    const turn = { reply: textOf(content), correction: correctionOf(request, output.left) }
    return yield* converse(call, { ...request, turns: [...request.turns, turn] }, total)
  })

export const callAgent = (
  provider: AgentProviderShape,
  request: StepRequest,
  retry: Retry | undefined,
  journal: Journal
): Effect.Effect<AgentAnswer, ProviderError | ValidationError | EventSinkError> => {
  const defaults = provider.defaults ?? DEFAULTS
  const call: Call = {
    provider,
    journal,
    policy: retryPolicy(retry, defaults.attempts),
    corrections: retry?.max_parse_recovery_attempts ?? defaults.corrections
  }
  return converse(call, request, NO_USAGE)
}
