/**
 * LLM steps over any endpoint that speaks OpenAI's chat completions. It neither retries nor repairs a reply: one request a
 * call, and one more after each reply that calls tools. An endpoint that refuses a JSON schema is asked again in words.
 */
import { Clock, Duration, Effect, Either, HashSet, Redacted, Ref } from "effect"
import { isMap, parseJson, stringifyJson, type Value } from "../domain/Value.ts"
import {
  ProviderError,
  type AgentProviderShape,
  type AgentRequest,
  type AgentResponse,
  type AgentUsage
} from "./AgentProvider.ts"
import { callTools, hasRoundsLeft } from "./AgentTools.ts"
import type { OutputFields } from "../language/document/OutputField.ts"
import { checkConfig, refuse, type OpenAiConfig } from "./OpenAiConfig.ts"
import { openAiError, ReplyTooLarge } from "./OpenAiError.ts"
import { completer, type Completion, type OutputRequest } from "./OpenAiRequest.ts"
import { loadOpenAiSdk, patientFetch } from "./OpenAiSdk.ts"
import { callOf, wireNames } from "./OpenAiTools.ts"
import { outputJsonSchema } from "./OutputJsonSchema.ts"
import { addUsage, NO_USAGE } from "./TokenUsage.ts"

type Reply = Awaited<ReturnType<ReturnType<typeof completer>>>

/** The largest reply that is read: far beyond what any model writes. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024

const EFFORTS: ReadonlyArray<string> = ["low", "medium", "high"]

const checkEffort = ({ reasoningEffort }: AgentRequest<unknown>): Effect.Effect<void, ProviderError> =>
  reasoningEffort === undefined || EFFORTS.includes(reasoningEffort)
    ? Effect.void
    : Effect.fail(
        refuse(`provider openai has no reasoning effort '${reasoningEffort}'; use one of: ${EFFORTS.join(", ")}`)
      )

const jsonMap = (text: string): Either.Either<Value, unknown> =>
  Either.filterOrLeft(
    Either.try(() => parseJson(text)),
    isMap,
    () => "not a map"
  )

const contentOf = (reply: Reply, wanted: OutputRequest): AgentResponse["content"] => {
  const text: AgentResponse["content"] = { _tag: "Text", text: reply.text }
  if (wanted._tag === "FreeText") return text
  return Either.match(jsonMap(reply.text), {
    onLeft: () => text,
    onRight: (value): AgentResponse["content"] => ({ _tag: "Structured", value })
  })
}

const responseOf = (reply: Reply, wanted: OutputRequest): AgentResponse => ({
  content: contentOf(reply, wanted),
  model: reply.response.modelId,
  usage: {
    inputTokens: reply.usage.inputTokens ?? 0,
    outputTokens: reply.usage.outputTokens ?? 0,
    cacheReadTokens: reply.usage.inputTokenDetails.cacheReadTokens ?? 0,
    cacheWriteTokens: reply.usage.inputTokenDetails.cacheWriteTokens ?? 0
  }
})

/** Reasoning models may spend the whole limit before the first word; asking again would end the same way. */
const checkNotEmpty = (reply: Reply): Effect.Effect<void, ProviderError> =>
  reply.text === "" && reply.finishReason === "length"
    ? Effect.fail(
        refuse("the model used up its token limit before it answered; raise max_tokens or lower reasoning effort")
      )
    : Effect.void

const tooManyRounds = (limit: number): ProviderError =>
  refuse(`the model called tools in ${limit} replies and gave no answer; raise max_agent_iterations if it needs more`)

const refusesSchema = (error: ProviderError): boolean => error.status === 400 || error.status === 422

/** The connections to the endpoint live as long as the scope. */
export const makeOpenAiProvider = Effect.fn("OpenAiProvider.make")(function* (config: OpenAiConfig) {
  const { host } = yield* checkConfig(config)
  const sdk = yield* loadOpenAiSdk
  const fetch = yield* patientFetch(sdk, {
    limit: MAX_REPLY_BYTES,
    tooLarge: () => new ReplyTooLarge(MAX_REPLY_BYTES)
  })
  const complete = completer(sdk, config, fetch)
  const refusedSchemas = yield* Ref.make(HashSet.empty<string>())

  const timedOut = new ProviderError({
    provider: "openai",
    category: "timeout",
    retryable: true,
    message: `timeout: ${host} did not answer within ${Duration.toSeconds(config.timeout)}s; raise workflow.runtime.timeout for slow models`
  })

  const send = Effect.fnUntraced(function* (completion: Completion) {
    const now = yield* Clock.currentTimeMillis
    const apiKey = config.apiKey === undefined ? undefined : Redacted.value(config.apiKey)
    const reply = yield* Effect.tryPromise({
      try: (signal) => complete(completion, signal),
      catch: (cause) => openAiError(sdk, cause, { host, model: completion.model, apiKey, now })
    }).pipe(Effect.timeoutFail({ duration: config.timeout, onTimeout: () => timedOut }))
    yield* checkNotEmpty(reply)
    return { calls: reply.toolCalls, response: responseOf(reply, completion.wanted) }
  })

  /** An endpoint may take one schema and refuse another, so what is remembered is the schema. */
  const sendStructured = Effect.fnUntraced(function* (completion: Omit<Completion, "wanted">, fields: OutputFields) {
    const output = outputJsonSchema(fields)
    const key = JSON.stringify(output.schema)
    const askInWords = send({ ...completion, wanted: { _tag: "Words", output } })
    if (HashSet.has(yield* Ref.get(refusedSchemas), key)) return yield* askInWords
    return yield* send({ ...completion, wanted: { _tag: "Schema", output } }).pipe(
      Effect.catchIf(refusesSchema, () => Effect.tap(askInWords, () => Ref.update(refusedSchemas, HashSet.add(key))))
    )
  })

  const ask = (completion: Omit<Completion, "wanted">) => {
    const { output } = completion.request
    return output === undefined
      ? send({ ...completion, wanted: { _tag: "FreeText" } })
      : sendStructured(completion, output)
  }

  /** Until there is a reply that calls no tool. */
  const converse = <E>(request: AgentRequest<E>, spent: AgentUsage): Effect.Effect<AgentResponse, ProviderError | E> =>
    Effect.gen(function* () {
      const { tools, turns } = request
      const rounds = tools === undefined ? [] : yield* Ref.get(tools.rounds)
      const names = wireNames(tools?.available ?? [])
      yield* request.onAwaitingModel ?? Effect.void
      const { calls, response } = yield* ask({ request, rounds, names, model: request.model ?? config.defaultModel })
      const usage = addUsage(spent, response.usage)
      if (tools === undefined || calls.length === 0) return { ...response, usage }
      if (!(yield* hasRoundsLeft(tools))) return yield* tooManyRounds(tools.maxRounds)
      const { content } = response
      const text = content._tag === "Text" ? content.text : stringifyJson(content.value)
      yield* callTools(tools, { turns: turns.length, text, calls: calls.map((call) => callOf(call, names)) })
      return yield* converse(request, usage)
    })

  const execute = <E>(request: AgentRequest<E>) =>
    Effect.zipRight(checkEffort(request), converse(request, NO_USAGE)).pipe(Effect.withSpan("OpenAiProvider.execute"))
  return { name: "openai", execute } satisfies AgentProviderShape
})
