/** Says once a model that its cost is not known, or only that of its family (workflow language §8). */
import { Effect } from "effect"
import type { Plan } from "../language/Plan.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { Journal } from "./Journal.ts"
import { findPrice } from "./Pricing.ts"
import type { Used } from "./TokenCost.ts"

const remedy = (model: string): string => `Write its price in workflow.cost.pricing under '${model}'.`

const warningOf = (model: string, { cost, limits }: Plan): string | undefined => {
  const found = findPrice(model, cost.pricing)
  switch (found._tag) {
    case "Exact":
      return undefined
    case "Family":
      return `The cost of model '${model}' is reckoned with the price of '${found.family}'. ${remedy(model)}`
    case "Unknown": {
      const budget = limits.budget_usd === undefined ? "" : ", and the budget does not see it"
      return `There is no price for model '${model}': its cost is unknown${budget}. ${remedy(model)}`
    }
  }
}

/** Models without tokens have cost nothing. */
export const warnOfPrice = Effect.fn("PriceWarnings.warn")(function* (
  journal: Journal,
  { model, usage }: Used,
  plan: Plan
): Effect.fn.Return<void, EventSinkError> {
  if (model === null || usage.inputTokens + usage.outputTokens === 0) return
  const { pricesTold } = yield* journal.state
  const warning = pricesTold.has(model) ? undefined : warningOf(model, plan)
  if (warning !== undefined) yield* journal.append("run_warning", { warning, priced_model: model })
})
