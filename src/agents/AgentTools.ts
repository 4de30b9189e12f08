/**
 * The tools that a model may call while it works on a step, and what it has called. An adapter sends the tools along, has
 * the calls of a reply done by `callTools`, and asks again; it must never run anything itself.
 */
import { Effect, Ref } from "effect"
import type { Json, ValueMap } from "../domain/Value.ts"
import { nearest } from "../domain/NearMatch.ts"

export interface ToolReply {
  /** What the model reads. */
  readonly text: string
  readonly isError: boolean
}

/** `E`: what ends the step and not only the call. */
export interface AgentTool<E = never> {
  /** `server__tool`. */
  readonly name: string
  readonly description?: string
  /** A JSON Schema of type object. */
  readonly inputSchema: { readonly [keyword: string]: Json }
  /** A tool that fails has a reply, too. */
  readonly execute: (input: ValueMap) => Effect.Effect<ToolReply, E>
}

export interface ToolCall {
  readonly id: string
  readonly tool: string
  /** Absent when the model wrote something that is no JSON object. */
  readonly input?: ValueMap
}

/** One reply of the model that asked for tools, with what they answered. */
export interface ToolRound {
  /** How many turns of the request stood before it. */
  readonly turns: number
  /** What the model said beside the calls. */
  readonly text: string
  readonly calls: ReadonlyArray<ToolCall & { readonly reply: ToolReply }>
}

export interface AgentTools<E = never> {
  /** The names that the workflow allows, for providers that have tools of their own; absent means all. */
  readonly allowed?: ReadonlyArray<string>
  readonly available: ReadonlyArray<AgentTool<E>>
  readonly maxRounds: number
  /** Of the whole step, oldest first. A call to the provider that is repeated goes on behind them, so no tool runs twice. */
  readonly rounds: Ref.Ref<ReadonlyArray<ToolRound>>
}

const unknownTool = (name: string, known: ReadonlyArray<string>): ToolReply => {
  const near = nearest(name, known)
  const hint = near === undefined ? `the tools are: ${known.join(", ")}` : `did you mean '${near}'?`
  return { text: `There is no tool '${name}'; ${hint}`, isError: true }
}

const noObject = (name: string): ToolReply => ({
  text: `The arguments of '${name}' are not a JSON object. Call it again with one.`,
  isError: true
})

const replyTo = <E>({ available }: AgentTools<E>, { input, tool: name }: ToolCall): Effect.Effect<ToolReply, E> => {
  const tool = available.find((tool) => tool.name === name)
  if (tool === undefined) {
    return Effect.succeed(
      unknownTool(
        name,
        available.map((tool) => tool.name)
      )
    )
  }
  return input === undefined ? Effect.succeed(noObject(name)) : tool.execute(input)
}

/** One after the other: what a model asks for in one breath may well build on each other. */
export const callTools = <E>(
  tools: AgentTools<E>,
  { calls, text, turns }: Omit<ToolRound, "calls"> & { readonly calls: ReadonlyArray<ToolCall> }
): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    const answered = yield* Effect.forEach(calls, (call) =>
      Effect.map(replyTo(tools, call), (reply) => ({ ...call, reply }))
    )
    yield* Ref.update(tools.rounds, (rounds) => [...rounds, { turns, text, calls: answered }])
  })

/** Whether another reply with calls can be taken. */
export const hasRoundsLeft = ({ maxRounds, rounds }: AgentTools<unknown>): Effect.Effect<boolean> =>
  Effect.map(Ref.get(rounds), ({ length }) => length < maxRounds)
