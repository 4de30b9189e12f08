/** What tokens cost (workflow language §8). Pure; prices are US dollars per million tokens. */
import type { AgentUsage } from "../agents/AgentProvider.ts"
import type { Cost } from "../language/document/Cost.ts"

type Price = Cost["pricing"][string]

const price = (input: number, output: number, cacheRead = 0, cacheWrite = 0): Price => ({
  input_per_mtok: input,
  output_per_mtok: output,
  cache_read_per_mtok: cacheRead,
  cache_write_per_mtok: cacheWrite
})

/** One price, and the models that have it. */
const PRICES: ReadonlyArray<readonly [Price, ReadonlyArray<string>]> = [
  [price(10, 30), ["gpt-4-turbo"]],
  [price(2.5, 10), ["gpt-4o"]],
  [price(0.15, 0.6), ["gpt-4o-mini", "gpt-4.1-mini", "gpt-5.4-mini", "gpt-5-mini"]],
  [
    price(2, 8),
    [
      "gpt-4.1",
      "gpt-5.5",
      "gpt-5.4",
      "gpt-5.3-codex",
      "gpt-5.2",
      "gpt-5.1",
      "gpt-5.6-sol",
      "gpt-5.6-terra",
      "gpt-5.6-luna"
    ]
  ],
  [price(30, 60), ["gpt-4"]],
  [price(0.5, 1.5), ["gpt-3.5-turbo"]],
  [price(15, 60), ["o1", "o1-preview"]],
  [price(3, 12), ["o1-mini"]],
  [price(1.1, 4.4), ["o3-mini"]],
  [
    price(5, 25, 0.5, 6.25),
    [
      "claude-opus-5",
      "claude-opus-4-5",
      "claude-opus-4.5",
      "opus-4.5",
      "claude-opus-4.6",
      "claude-opus-4.6-1m",
      "claude-opus-4.7",
      "claude-opus-4.8"
    ]
  ],
  [
    price(3, 15, 0.3, 3.75),
    [
      "claude-sonnet-5",
      "claude-sonnet-4-5",
      "claude-sonnet-4.5",
      "sonnet-4.5",
      "claude-sonnet-4.6",
      "claude-sonnet-4",
      "claude-3-7-sonnet",
      "claude-3.7-sonnet",
      "claude-3-5-sonnet",
      "claude-3.5-sonnet",
      "claude-3-sonnet"
    ]
  ],
  [price(1, 5, 0.1, 1.25), ["claude-haiku-4-5", "claude-haiku-4.5", "haiku-4.5"]],
  [price(15, 75, 1.5, 18.75), ["claude-opus-4", "claude-3-opus"]],
  [price(0.25, 1.25, 0.03, 0.3), ["claude-haiku-4", "claude-3-haiku"]],
  [price(0.8, 4, 0.08, 1), ["claude-3-5-haiku", "claude-3.5-haiku"]],
  [price(1.25, 5), ["gemini-3.1-pro-preview"]],
  [price(0.3, 2.5), ["gemini-3.5-flash"]]
]

const TABLE: ReadonlyMap<string, Price> = new Map(
  PRICES.flatMap(([price, models]) => models.map((model) => [model, price] as const))
)

/** `gpt-4o-2024-08-06` costs what `gpt-4o` does: the longest known name that the model's begins with, before a dash. */
const familyPrice = (model: string): FoundPrice => {
  for (let end = model.lastIndexOf("-"); end > 0; end = model.lastIndexOf("-", end - 1)) {
    const family = model.slice(0, end)
    const price = TABLE.get(family)
    if (price !== undefined) return { _tag: "Family", family, price }
  }
  return { _tag: "Unknown" }
}

type FoundPrice =
  | { readonly _tag: "Exact"; readonly price: Price }
  | { readonly _tag: "Family"; readonly family: string; readonly price: Price }
  | { readonly _tag: "Unknown" }

/** The workflow's own prices come before the known ones. */
export const findPrice = (model: string, own: Cost["pricing"]): FoundPrice => {
  const price = (Object.hasOwn(own, model) ? own[model] : undefined) ?? TABLE.get(model)
  return price === undefined ? familyPrice(model) : { _tag: "Exact", price }
}

const MILLION = 1e6

/** US dollars; null for a model without a known price. Tokens in the cache without a rate of their own are plain input. */
export const costOf = (model: string | null, usage: AgentUsage, own: Cost["pricing"]): number | null => {
  const found = model === null ? undefined : findPrice(model, own)
  if (found === undefined || found._tag === "Unknown") return null
  const { price } = found
  const { cache_read_per_mtok: read, cache_write_per_mtok: write } = price
  const cached = (read > 0 ? usage.cacheReadTokens : 0) + (write > 0 ? usage.cacheWriteTokens : 0)
  return (
    (Math.max(0, usage.inputTokens - cached) / MILLION) * price.input_per_mtok +
    (usage.outputTokens / MILLION) * price.output_per_mtok +
    (usage.cacheReadTokens / MILLION) * read +
    (usage.cacheWriteTokens / MILLION) * write
  )
}
