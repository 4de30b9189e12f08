/**
 * The port to a model: one LLM step, prompt in, content and usage out. Retries, parse recovery and output validation
 * are the engine's; an adapter must never sleep, retry or write events of its own.
 */
import { Context, Schema, type Effect } from "effect"
import type { Value } from "../domain/Value.ts"
import type { OutputFields } from "../language/document/OutputField.ts"
import type { AgentTools } from "./AgentTools.ts"

export interface Exchange {
  readonly prompt: string
  readonly reply: string
}

/** `E`: what a tool may fail with. */
export interface AgentRequest<E = never> {
  readonly step: string
  /** Fully rendered. */
  readonly prompt: string
  readonly systemPrompt?: string
  readonly model?: string
  /** Declared output, when the step has a non-empty one: the content must be an object of this shape. */
  readonly output?: OutputFields
  readonly temperature?: number
  /** Output tokens. */
  readonly maxTokens?: number
  readonly reasoningEffort?: "low" | "medium" | "high" | "xhigh" | "max"
  /** Absolute, and known to exist. */
  readonly workingDirectory?: string
  /** What was said before in the same conversation, oldest first. */
  readonly history?: ReadonlyArray<Exchange>
  /** Earlier turns of the same step, oldest first: a reply that could not be used and the correction asked for. */
  readonly turns: ReadonlyArray<{ readonly reply: string; readonly correction: string }>
  /** Absent when the step may use none. */
  readonly tools?: AgentTools<E>
  /** Seconds that one call of the adapter may last, all calls of tools included. The engine ends it then. */
  readonly maxSessionSeconds?: number
  /** Runs before a model is asked, each time: there may be several in one call. */
  readonly onAwaitingModel?: Effect.Effect<void, E>
}

export interface AgentUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

export interface AgentResponse {
  /** A structured value when the adapter got one, otherwise the model's text. */
  readonly content:
    { readonly _tag: "Structured"; readonly value: Value } | { readonly _tag: "Text"; readonly text: string }
  /** The model that answered, when known. */
  readonly model?: string
  readonly usage: AgentUsage
}

/** `category` decides retries: see workflow language §5.13. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  provider: Schema.String,
  category: Schema.Literal("authentication", "rate_limit", "timeout", "connection", "server", "malformed", "request"),
  status: Schema.optional(Schema.Int),
  retryable: Schema.Boolean,
  /** Milliseconds that the server asked to wait. */
  retryAfter: Schema.optional(Schema.Number),
  message: Schema.String
}) {}

/** What holds for a step that does not say it in its `retry` block (workflow language §5.12 and §5.13). */
export interface RetryDefaults {
  /** Calls in all, when they fail for a passing reason. */
  readonly attempts: number
  /** Replies that may be sent back for correction. */
  readonly corrections: number
}

export interface AgentProviderShape {
  readonly name: string
  /** Three attempts and two corrections unless given. */
  readonly defaults?: RetryDefaults
  readonly execute: <E>(request: AgentRequest<E>) => Effect.Effect<AgentResponse, ProviderError | E>
}

/** The adapters by the provider name that a workflow writes. */
export class AgentProviders extends Context.Tag("conductor/AgentProviders")<
  AgentProviders,
  {
    readonly available: ReadonlyArray<string>
    readonly get: (name: string) => Effect.Effect<AgentProviderShape, ProviderError>
  }
>() {}

export const providerUnavailable = (name: string, available: ReadonlyArray<string>): ProviderError =>
  new ProviderError({
    provider: name,
    category: "request",
    retryable: false,
    message: `provider '${name}' is not available; set "provider" to one of: ${available.join(", ")}`
  })
