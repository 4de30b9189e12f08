/** What the provider of a step cannot do, before all steps that ask for it are told of at once. */
import { Array } from "effect"
import type { ProviderName } from "../document/Vocabulary.ts"
import type { Place } from "../Problem.ts"
import type { error, Finding, warning } from "./Diagnostic.ts"

export interface Refusal {
  readonly step: string
  readonly provider: ProviderName
  readonly place: Place
  readonly what: string
}

/** A setting of the runtime is one mistake, however many steps inherit it. */
export const told = (
  refusals: ReadonlyArray<Refusal>,
  verb: string,
  make: typeof error | typeof warning
): ReadonlyArray<Finding> => {
  const alike = Array.groupBy(refusals, ({ place, provider, what }) => JSON.stringify([place, provider, what]))
  return Object.values(alike).map((some) => {
    const [{ place, provider, what }] = some
    const names = [...new Set(some.map(({ step }) => `"${step}"`))]
    const steps = `${names.length === 1 ? "step" : "steps"} ${names.join(", ")}`
    return make(place, `${steps}: the provider ${provider} does not ${verb} ${what}`)
  })
}
