/** What was used and what it cost, as events tell it. */
import type { AgentUsage } from "../agents/AgentProvider.ts"
import type { Plan } from "../language/Plan.ts"
import { costOf } from "./Pricing.ts"

export interface Used {
  /** Null when nobody said which. */
  readonly model: string | null
  readonly usage: AgentUsage
}

export interface TokenCost {
  readonly tokens: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

/** The workflow's own prices come before the known ones. */
export const tokensOf = ({ model, usage }: Used, { cost }: Plan): TokenCost => ({
  tokens: usage.inputTokens + usage.outputTokens,
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cost_usd: costOf(model, usage, cost.pricing)
})

/** Of a step that asks no model. */
export const NO_TOKENS: TokenCost = { tokens: 0, input_tokens: 0, output_tokens: 0, cost_usd: null }
