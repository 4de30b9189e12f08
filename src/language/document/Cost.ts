/** `workflow.cost`: what is shown of the cost of a run, and prices that override the known ones. */
import { dictionary, open, withDefault } from "./Keyed.ts"
import { Flag, number } from "./Scalars.ts"

const price = number({ min: 0 })

/** US dollars per million tokens. */
const ModelPricing = open({
  input_per_mtok: price,
  output_per_mtok: price,
  cache_read_per_mtok: withDefault(price, 0),
  cache_write_per_mtok: withDefault(price, 0)
})

export const Cost = open({
  show_per_agent: withDefault(Flag, true),
  show_summary: withDefault(Flag, true),
  pricing: withDefault(dictionary(ModelPricing), {})
})
export type Cost = typeof Cost.Type
