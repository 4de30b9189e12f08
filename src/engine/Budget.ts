/** Whether a workflow has spent more than it may (workflow language §5.5). Pure. */
import type { Limits } from "../language/document/Limits.ts"
import type { State } from "./State.ts"

/** What is to be told of the spending, and whether it ends the workflow. */
export type BudgetVerdict = "within" | "to-be-told" | "stop"

/** Told on the first overshoot, and again when a whole budget more has been spent. Spending exactly the budget is fine. */
export const judgeBudget = (limits: Limits, { budgetTold, spent }: State): BudgetVerdict => {
  const budget = limits.budget_usd
  if (budget === undefined || spent <= budget) return "within"
  if (budgetTold === undefined || spent - budgetTold >= budget) return "to-be-told"
  return limits.budget_mode === "enforce" ? "stop" : "within"
}
