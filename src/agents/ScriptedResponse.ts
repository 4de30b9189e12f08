/** The script of a scripted provider: what each step answers, call by call. Pure; the counting is the provider's. */
import { Duration, Option } from "effect"
import { Float, get, isList, isMap, type Value, type ValueMap } from "../domain/Value.ts"
import { ProviderError, type AgentRequest, type AgentResponse, type AgentUsage } from "./AgentProvider.ts"
import type { ToolCall } from "./AgentTools.ts"
import { categoryOfStatus, isRetryableStatus } from "./StatusCategory.ts"

/**
 * By step name, the responses in order; the last one repeats. A response is
 * - a map: a structured answer · a string: raw text;
 * - `{ error: { message, status?, retryable?, kind? } }`: the call fails;
 * - `{ then: response, after?: seconds, usage?: { input_tokens?, output_tokens?, cache_read_tokens?, cache_write_tokens? },
 *   calls?: [{ tool, arguments? }] }`: `calls` are tools of the step that are called first, one after the other.
 */
export type AgentScript = Readonly<Record<string, Value>>

interface ScriptedReply {
  readonly delay: Duration.Duration
  readonly calls: ReadonlyArray<ToolCall>
  readonly result:
    | { readonly _tag: "Answer"; readonly content: AgentResponse["content"]; readonly usage: AgentUsage }
    | { readonly _tag: "Failure"; readonly error: ProviderError }
}

/** `review[a.ts] (validator)` is looked up as itself, then as `review (validator)`. */
const scriptKeys = (step: string): ReadonlyArray<string> => {
  const general = step.replace(/\[.*\](?=$| \(validator\)$)/s, "")
  return general === step ? [step] : [step, general]
}

/** The entry of the script that a step draws from, if it is scripted. */
export const scriptKeyOf = (script: AgentScript, step: string): Option.Option<string> =>
  Option.fromNullable(scriptKeys(step).find((key) => responsesOf(script, key).length > 0))

const responsesOf = (script: AgentScript, key: string): ReadonlyArray<Value> => {
  const responses = get(script, key)
  if (responses === undefined) return []
  return isList(responses) ? responses : [responses]
}

/** `call` counts from 0. */
export const responseAt = (script: AgentScript, key: string, call: number): Value => {
  const responses = responsesOf(script, key)
  return responses[Math.min(call, responses.length - 1)] ?? null
}

const numberIn = (map: ValueMap, key: string): number | undefined => {
  const value = get(map, key)
  if (value instanceof Float) return value.value
  return typeof value === "number" ? value : undefined
}

const usageOf = (value: Value | undefined): AgentUsage => {
  const map = value !== undefined && isMap(value) ? value : {}
  return {
    inputTokens: numberIn(map, "input_tokens") ?? 0,
    outputTokens: numberIn(map, "output_tokens") ?? 0,
    cacheReadTokens: numberIn(map, "cache_read_tokens") ?? 0,
    cacheWriteTokens: numberIn(map, "cache_write_tokens") ?? 0
  }
}

const CATEGORIES: ReadonlyArray<ProviderError["category"]> = ProviderError.fields.category.literals

const categoryOf = (
  kind: Value | undefined,
  status: number | undefined,
  message: string
): ProviderError["category"] => {
  const named = CATEGORIES.find((category) => category === kind)
  if (named !== undefined) return named
  if (status !== undefined) return categoryOfStatus(status)
  if (/timeout/i.test(message)) return "timeout"
  return /connection/i.test(message) ? "connection" : "server"
}

const failureOf = (provider: string, error: ValueMap): ProviderError => {
  const text = get(error, "message")
  const message = typeof text === "string" ? text : "scripted failure"
  const status = numberIn(error, "status")
  const retryable = get(error, "retryable")
  return new ProviderError({
    provider,
    category: categoryOf(get(error, "kind"), status, message),
    retryable: typeof retryable === "boolean" ? retryable : status !== undefined && isRetryableStatus(status),
    message,
    ...(status === undefined ? {} : { status })
  })
}

const answer = (content: AgentResponse["content"], usage: Value | undefined): ScriptedReply => ({
  delay: Duration.zero,
  calls: [],
  result: { _tag: "Answer", content, usage: usageOf(usage) }
})

const callOf = (call: ValueMap, index: number): ToolCall => {
  const input = get(call, "arguments") ?? {}
  return { id: `call-${index + 1}`, tool: String(get(call, "tool")), ...(isMap(input) ? { input } : {}) }
}

const callsOf = (calls: Value | undefined): ReadonlyArray<ToolCall> =>
  calls !== undefined && isList(calls) ? calls.filter(isMap).map(callOf) : []

const isWrapped = (response: ValueMap): boolean =>
  Object.hasOwn(response, "then") &&
  Object.keys(response).every((key) => ["then", "after", "usage", "calls"].includes(key))

/** Reads one response of the script; `usage` is what a `then` around it says. */
export const readResponse = (provider: string, response: Value, usage?: Value): ScriptedReply => {
  if (typeof response === "string") return answer({ _tag: "Text", text: response }, usage)
  if (!isMap(response)) return answer({ _tag: "Structured", value: response }, usage)
  const error = get(response, "error")
  if (error !== undefined && isMap(error) && Object.keys(response).length === 1) {
    return { delay: Duration.zero, calls: [], result: { _tag: "Failure", error: failureOf(provider, error) } }
  }
  if (!isWrapped(response)) return answer({ _tag: "Structured", value: response }, usage)
  const inner = readResponse(provider, get(response, "then") ?? null, get(response, "usage") ?? usage)
  return {
    ...inner,
    calls: [...callsOf(get(response, "calls")), ...inner.calls],
    delay: Duration.sum(inner.delay, Duration.seconds(numberIn(response, "after") ?? 0))
  }
}

export interface ReplyOptions {
  /** Seconds. */
  readonly after?: number
  readonly usage?: Readonly<
    Partial<Record<"input_tokens" | "output_tokens" | "cache_read_tokens" | "cache_write_tokens", number>>
  >
  readonly calls?: ReadonlyArray<{ readonly tool: string; readonly arguments?: ValueMap }>
}

/** Writes a late or metered response, or one behind calls of tools, for scripts in TypeScript, where an object literal with `then` looks like a promise. */
export const replyWith = (response: Value, { after, calls, usage }: ReplyOptions): Value =>
  Object.fromEntries<Value>([
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the script format; nobody awaits a script
    ["then", response],
    ...(after === undefined ? [] : [["after", after] as const]),
    ...(usage === undefined ? [] : [["usage", usage] as const]),
    ...(calls === undefined ? [] : [["calls", calls.map((call) => ({ ...call }))] as const])
  ])

/** What a step answers that nobody scripted: its own prompt, so that a test sees what was asked. */
export const echo = ({ prompt }: AgentRequest<unknown>): Value => ({ result: prompt })
