/**
 * Makes room when the outputs of earlier steps outgrow `context.max_tokens` (workflow language §4.6). What is trimmed is
 * gone from the run, so it is an event. Pure; a token is taken for four characters of JSON.
 */
import { Option } from "effect"
import { isMap, type Value, type ValueMap } from "../domain/Value.ts"
import type { Plan } from "../language/Plan.ts"
import { entryLength, jsonLength } from "./JsonLength.ts"
import { workflowFacts } from "./PlanFacts.ts"
import { printedValue } from "./PrintedValue.ts"
import { contextEntry, fullContext, type Memory } from "./StepContext.ts"

type TrimStrategy = NonNullable<Plan["context"]["trim_strategy"]>

export interface Trim {
  readonly strategy: TrimStrategy
  /** Nodes whose outputs go. */
  readonly dropped: ReadonlyArray<string>
  /** What is stored from now on, by node. */
  readonly outputs: ValueMap
}

const CHARACTERS_PER_TOKEN = 4
const SUMMARY = "_context_summary"

const within = (length: number, limit: number): boolean => Math.floor(length / CHARACTERS_PER_TOKEN) <= limit

/** Oldest first; the newest stays, whatever its size. */
const dropOldest = ({ outputs }: Memory, size: number, limit: number): Trim => {
  const dropped: Array<string> = []
  let left = size
  for (const [node, output] of [...outputs].slice(0, -1)) {
    if (within(left, limit)) break
    left -= entryLength(node, contextEntry(output))
    dropped.push(node)
  }
  return { strategy: "drop_oldest", dropped, outputs: {} }
}

const LONG = 200
const CUT = "... [truncated]"

const truncatedText = (value: Value): Value => {
  if (typeof value !== "string" || value.length <= LONG) return value
  const text = value.slice(0, Math.max(LONG, Math.floor(value.length / 4))) + CUT
  return text.length < value.length ? text : value
}

/** Top-level texts of maps only, oldest first, until it is enough. */
const truncate = ({ outputs }: Memory, size: number, limit: number): Trim => {
  const changed: Array<readonly [string, ValueMap]> = []
  let left = size
  for (const [node, output] of outputs) {
    if (!isMap(output)) continue
    const entries = Object.entries(output).map(([name, value]) => {
      const text = within(left, limit) ? value : truncatedText(value)
      if (text !== value) left += jsonLength(text) - jsonLength(value)
      return [name, text] as const
    })
    if (entries.some(([name, text]) => text !== output[name])) changed.push([node, Object.fromEntries(entries)])
  }
  return { strategy: "truncate", dropped: [], outputs: Object.fromEntries(changed) }
}

const MAX_SUMMARY = 500
const MAX_VALUE = 50

const shortened = (value: Value): string => {
  const text = Option.getOrElse(printedValue(value), () => "")
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text
}

const summaryOf = (node: string, output: Value): string =>
  `${node}: ${
    isMap(output)
      ? Object.entries(output)
          .map(([name, value]) => `${name}=${shortened(value)}`)
          .join(" ")
      : shortened(output)
  }`

/** No model is asked: the older half of the nodes becomes one text of their first words. */
const summarize = ({ outputs }: Memory): Trim => {
  const nodes = [...outputs].filter(([node]) => node !== SUMMARY)
  const old = nodes.slice(0, -Math.max(1, Math.floor(nodes.length / 2)))
  const dropped = old.map(([node]) => node)
  const summary = old
    .map(([node, output]) => summaryOf(node, output))
    .join("; ")
    .slice(0, MAX_SUMMARY)
  const stored = dropped.length === 0 ? {} : { [SUMMARY]: { summary, dropped_agents: dropped } }
  return { strategy: "summarize", dropped, outputs: stored }
}

const trim = (strategy: TrimStrategy, memory: Memory, size: number, limit: number): Trim => {
  switch (strategy) {
    case "drop_oldest":
      return dropOldest(memory, size, limit)
    case "truncate":
      return truncate(memory, size, limit)
    case "summarize":
      return summarize(memory)
  }
}

/** None when everything fits, or when the strategy finds nothing to take away. */
export const trimContext = (plan: Plan, memory: Memory): Option.Option<Trim> => {
  const { max_tokens: limit, trim_strategy: strategy = "drop_oldest" } = plan.context
  if (limit === undefined) return Option.none()
  const size = jsonLength(fullContext(workflowFacts(plan), memory))
  if (within(size, limit)) return Option.none()
  const found = trim(strategy, memory, size, limit)
  return found.dropped.length === 0 && Object.keys(found.outputs).length === 0 ? Option.none() : Option.some(found)
}
