/** One chat completion: a step's request in the terms of the AI SDK. */
import { Redacted } from "effect"
import type { AgentRequest } from "./AgentProvider.ts"
import type { ToolRound } from "./AgentTools.ts"
import { isOpenAi, type OpenAiConfig } from "./OpenAiConfig.ts"
import type { OpenAiSdk } from "./OpenAiSdk.ts"
import { roundMessages, wireTools, type WireNames } from "./OpenAiTools.ts"
import type { OutputJsonSchema } from "./OutputJsonSchema.ts"

/** How the declared output is asked for; `words` is for endpoints that take no schema. */
export type OutputRequest =
  | { readonly _tag: "FreeText" }
  | { readonly _tag: "Schema"; readonly output: OutputJsonSchema }
  | { readonly _tag: "Words"; readonly output: OutputJsonSchema }

export interface Completion {
  readonly request: AgentRequest<unknown>
  /** What has been called so far. */
  readonly rounds: ReadonlyArray<ToolRound>
  readonly names: WireNames
  readonly model: string
  readonly wanted: OutputRequest
}

const inWords = ({ schema }: OutputJsonSchema): string =>
  `\n\nAnswer with one JSON object and nothing else: no prose, no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`

/** The calls of tools stand where they happened: between the turns. */
const conversation = ({ names, request: { history = [], prompt, turns }, rounds, wanted }: Completion) => {
  const calledAfter = (count: number) =>
    rounds.filter((round) => round.turns === count).flatMap((round) => roundMessages(round, names))
  return [
    ...history.flatMap((exchange) => [
      { role: "user" as const, content: exchange.prompt },
      { role: "assistant" as const, content: exchange.reply }
    ]),
    { role: "user" as const, content: wanted._tag === "Words" ? prompt + inWords(wanted.output) : prompt },
    ...calledAfter(0),
    ...turns.flatMap(({ correction, reply }, index) => [
      { role: "assistant" as const, content: reply },
      { role: "user" as const, content: correction },
      ...calledAfter(index + 1)
    ])
  ]
}

const toolSettings = (sdk: OpenAiSdk, { names, request: { tools } }: Completion) =>
  tools === undefined || tools.available.length === 0 ? {} : { tools: wireTools(sdk, tools.available, names) }

/** The newer models of OpenAI itself refuse the old name of the limit, and its older ones know the new name too. */
const renameLimit = ({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> =>
  max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }

const settings = (
  { maxTokens, reasoningEffort, systemPrompt, temperature }: AgentRequest<unknown>,
  wanted: OutputRequest
) => ({
  providerOptions: {
    openaiCompatible: {
      ...(wanted._tag === "Schema" ? { strictJsonSchema: wanted.output.strict } : {}),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort })
    }
  },
  ...(systemPrompt === undefined ? {} : { system: systemPrompt }),
  ...(temperature === undefined ? {} : { temperature }),
  ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens })
})

/** The reply is taken as text even when a schema was sent: the SDK's own parser would lose the kinds of numbers. */
const responseFormat = (sdk: OpenAiSdk, wanted: OutputRequest) =>
  wanted._tag === "Schema"
    ? {
        output: {
          ...sdk.Output.text(),
          responseFormat: Promise.resolve({ type: "json" as const, name: "output", schema: wanted.output.schema })
        }
      }
    : {}

export const completer = (sdk: OpenAiSdk, config: OpenAiConfig, fetch: typeof globalThis.fetch) => {
  const provider = sdk.createOpenAICompatible({
    name: "openai",
    baseURL: config.baseUrl,
    supportsStructuredOutputs: true,
    fetch,
    ...(config.apiKey === undefined ? {} : { apiKey: Redacted.value(config.apiKey) }),
    ...(isOpenAi(config.baseUrl) ? { transformRequestBody: renameLimit } : {})
  })
  return (completion: Completion, signal: AbortSignal) => {
    const { model, request, wanted } = completion
    return sdk.generateText({
      model: provider(model),
      messages: conversation(completion),
      maxRetries: 0,
      abortSignal: signal,
      ...settings(request, wanted),
      ...responseFormat(sdk, wanted),
      ...toolSettings(sdk, completion)
    })
  }
}
