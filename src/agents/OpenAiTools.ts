/** Tools and their calls in the terms of the AI SDK, under names that the API takes. */
import { Option } from "effect"
import { isMap, parseJson, toJson } from "../domain/Value.ts"
import type { AgentTool, ToolCall, ToolRound } from "./AgentTools.ts"
import type { OpenAiSdk } from "./OpenAiSdk.ts"

const MAX_NAME = 64

/** Letters, digits, `_` and `-`, at most 64. */
const wireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME)

/** `taken` names are told apart by a number at their end. */
const freeName = (name: string, taken: ReadonlyMap<string, string>, number = 2): string => {
  const wished = wireName(name)
  if (!taken.has(wished)) return wished
  const numbered = `${wished.slice(0, MAX_NAME - String(number).length - 1)}_${number}`
  return taken.has(numbered) ? freeName(name, taken, number + 1) : numbered
}

/** Our names by those on the wire. */
export type WireNames = ReadonlyMap<string, string>

export const wireNames = (tools: ReadonlyArray<AgentTool<unknown>>): WireNames => {
  const names = new Map<string, string>()
  for (const { name } of tools) names.set(freeName(name, names), name)
  return names
}

const onWire = (tool: string, names: WireNames): string =>
  [...names].find(([, name]) => name === tool)?.[0] ?? wireName(tool)

/** Nothing of them is run by the SDK: they are described, and the calls come back to us. */
export const wireTools = (sdk: OpenAiSdk, tools: ReadonlyArray<AgentTool<unknown>>, names: WireNames) =>
  Object.fromEntries(
    tools.map(({ description, inputSchema, name }) => [
      onWire(name, names),
      {
        ...(description === undefined ? {} : { description }),
        // The schema is that of a server and goes to the model as it is; the SDK asks for one that it knows all words of.
        inputSchema: sdk.jsonSchema(inputSchema as Parameters<OpenAiSdk["jsonSchema"]>[0])
      }
    ])
  )

/** What the model asked for with `calls`, and what it was told. */
export const roundMessages = ({ calls, text }: ToolRound, names: WireNames) => [
  {
    role: "assistant" as const,
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map(({ id, input = {}, tool }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: onWire(tool, names),
        input: toJson(input)
      }))
    ]
  },
  {
    role: "tool" as const,
    content: calls.map(({ id, reply, tool }) => ({
      type: "tool-result" as const,
      toolCallId: id,
      toolName: onWire(tool, names),
      output: { type: reply.isError ? ("error-text" as const) : ("text" as const), value: reply.text }
    }))
  }
]

interface WireCall {
  readonly toolCallId: string
  readonly toolName: string
  /** Parsed, or the model's text when that was no JSON. */
  readonly input: unknown
}

const readJson = Option.liftThrowable((data: unknown) => parseJson(JSON.stringify(data)))

export const callOf = ({ input, toolCallId: id, toolName }: WireCall, names: WireNames): ToolCall => {
  const given = Option.filter(readJson(input), isMap)
  return {
    id,
    tool: names.get(toolName) ?? toolName,
    ...(Option.isSome(given) ? { input: given.value } : {})
  }
}
