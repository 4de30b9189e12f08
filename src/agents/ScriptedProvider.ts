/**
 * A deterministic model for tests, of this project and of its users: every step answers from a script, and what was
 * asked can be read afterwards. It never reaches the network.
 */
import { Context, Effect, Layer, Option, Ref } from "effect"
import {
  AgentProviders,
  ProviderError,
  providerUnavailable,
  type AgentProviderShape,
  type AgentRequest,
  type AgentResponse
} from "./AgentProvider.ts"
import { callTools, type ToolCall } from "./AgentTools.ts"
import { echo, readResponse, replyWith, responseAt, scriptKeyOf, type AgentScript } from "./ScriptedResponse.ts"

export interface ScriptedCall {
  /** The name under which the provider was asked for. */
  readonly provider: string
  readonly request: AgentRequest<unknown>
}

/** What the scripted provider was asked, oldest first. */
export class ScriptedCalls extends Context.Tag("conductor/ScriptedCalls")<
  ScriptedCalls,
  { readonly all: Effect.Effect<ReadonlyArray<ScriptedCall>> }
>() {}

export interface ScriptedAgentsOptions {
  /** The provider names that a workflow may write; all of the language unless said otherwise. */
  readonly available?: ReadonlyArray<string>
}

const EVERY_PROVIDER = ["openai", "copilot", "claude", "claude-agent-sdk", "hermes", "aca"]

interface Conversation {
  readonly calls: ReadonlyArray<ScriptedCall>
  /** Responses used up, by script key. */
  readonly used: Readonly<Record<string, number>>
}

/** Each call is a round of its own. A call that the step could not make is a mistake of the script. */
const callScripted = <E>(
  provider: string,
  { step, tools, turns }: AgentRequest<E>,
  call: ToolCall
): Effect.Effect<void, ProviderError | E> => {
  const known = tools?.available.map(({ name }) => name) ?? []
  if (tools !== undefined && known.includes(call.tool)) {
    return callTools(tools, { turns: turns.length, text: "", calls: [call] })
  }
  const message = `the script of step '${step}' calls the tool '${call.tool}', but the step has: ${known.join(", ") || "no tools"}`
  return Effect.fail(new ProviderError({ provider, category: "request", retryable: false, message }))
}

const scriptedProvider = (
  name: string,
  script: AgentScript,
  conversation: Ref.Ref<Conversation>
): AgentProviderShape => {
  const next = (request: AgentRequest<unknown>) =>
    Ref.modify(conversation, ({ calls, used }) => {
      const key = Option.getOrUndefined(scriptKeyOf(script, request.step))
      const count = key === undefined ? 0 : (used[key] ?? 0)
      return [
        key === undefined ? echo(request) : responseAt(script, key, count),
        {
          calls: [...calls, { provider: name, request }],
          used: key === undefined ? used : { ...used, [key]: count + 1 }
        }
      ]
    })
  return {
    name,
    // A script says what happens call by call; repeats that nobody wrote down would use it up unseen.
    defaults: { attempts: 1, corrections: 0 },
    execute: <E>(request: AgentRequest<E>): Effect.Effect<AgentResponse, ProviderError | E> =>
      Effect.gen(function* () {
        const { calls, delay, result } = readResponse(name, yield* next(request))
        yield* Effect.forEach(calls, (call) => callScripted(name, request, call), { discard: true })
        yield* Effect.sleep(delay)
        if (result._tag === "Failure") return yield* result.error
        const { content, usage } = result
        return { content, usage, ...(request.model === undefined ? {} : { model: request.model }) }
      }).pipe(Effect.withSpan("ScriptedProvider.execute"))
  }
}

const layer = (
  script: AgentScript,
  { available = EVERY_PROVIDER }: ScriptedAgentsOptions = {}
): Layer.Layer<AgentProviders | ScriptedCalls> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const conversation = yield* Ref.make<Conversation>({ calls: [], used: {} })
      return Context.make(ScriptedCalls, {
        all: Effect.map(Ref.get(conversation), ({ calls }) => calls)
      }).pipe(
        Context.add(AgentProviders, {
          available,
          get: (name) =>
            available.includes(name)
              ? Effect.succeed(scriptedProvider(name, script, conversation))
              : Effect.fail(providerUnavailable(name, available))
        })
      )
    })
  )

/**
 * `ScriptedAgents.layer({ review: [{ approved: false }, { approved: true }] })`; `ScriptedAgents.reply("text", { after: 5 })`
 * is a response that comes five seconds later.
 */
export const ScriptedAgents = { layer, reply: replyWith }
