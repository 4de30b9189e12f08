/** Who may grant more iterations when a run hits its limit. Nobody, unless a host provides somebody: the run stops. */
import { Context, Effect } from "effect"

export interface LimitQuestion {
  readonly step: string
  readonly iterations: number
  readonly maxIterations: number
}

export class IterationGrants extends Context.Reference<IterationGrants>()("conductor/IterationGrants", {
  defaultValue: () => ({
    /** How many more iterations to allow; zero or less ends the run. */
    ask: (_question: LimitQuestion): Effect.Effect<number> => Effect.succeed(0)
  })
}) {}
