/** Compares what a run used and what that cost with the rows that a case of the corpus lists. */
import { isDeepStrictEqual } from "node:util"
import type { RunEvent } from "../../../src/domain/RunEvent.ts"
import { get, isList, isMap, toJson, type Json, type Value } from "../../../src/domain/Value.ts"

type Row = readonly [name: string, model: string | null, input: number, output: number, cost: number | null]

const rowsOf = (event: RunEvent): ReadonlyArray<Row> => {
  switch (event.type) {
    case "agent_validator_complete":
    case "agent_output_discarded": {
      const { agent_name, cost_usd, input_tokens, model, output_tokens } = event.data
      return [[`${agent_name} (validator)`, model, input_tokens, output_tokens, cost_usd]]
    }
    case "agent_completed":
    case "parallel_agent_completed": {
      const { agent_name, cost_usd, input_tokens, model, output_tokens } = event.data
      return [[agent_name, model, input_tokens, output_tokens, cost_usd]]
    }
    case "for_each_item_completed": {
      const { cost_usd, group_name, input_tokens, item_key, model, output_tokens } = event.data
      return [[`${group_name}[${item_key}]`, model, input_tokens, output_tokens, cost_usd]]
    }
    default:
      return []
  }
}

/** Sums of dollars in another order differ in their last digits. */
const rounded = (value: Json): Json => {
  if (typeof value === "number") return Math.round(value * 1e9) / 1e9
  return Array.isArray(value) ? value.map(rounded) : value
}

const show = (value: unknown): string => JSON.stringify(value)

export const compareUsage = (expected: Value | undefined, events: ReadonlyArray<RunEvent>): ReadonlyArray<string> => {
  if (expected === undefined || !isMap(expected)) return []
  const rows = events.flatMap(rowsOf)
  const wanted = get(expected, "rows") ?? []
  const [left, right] = [rounded(toJson(isList(wanted) ? wanted : [])), rounded(rows.map((row) => [...row]))]
  return isDeepStrictEqual(left, right) ? [] : [`usage: expected ${show(left)}, got ${show(right)}`]
}
