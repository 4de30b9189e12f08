/** What the workflows of a run know in common: what happens in one is known in all above it, and in those that it starts. */
import type { RunEvent } from "../domain/RunEvent.ts"
import { withExchange } from "./Sessions.ts"
import type { State } from "./State.ts"

type Shared = Pick<State, "prompts" | "sessions" | "pricesTold">

/** For a sub-workflow that begins. */
export const sharedOf = ({ pricesTold, prompts, sessions }: State): Shared => ({ pricesTold, prompts, sessions })

const withPriceTold = (told: ReadonlySet<string>, event: RunEvent): ReadonlySet<string> =>
  event.type === "run_warning" && event.data.priced_model !== undefined
    ? new Set(told).add(event.data.priced_model)
    : told

const isNewPrompt = (event: RunEvent): boolean => event.type === "gate_presented" && event.data.again === undefined

/** The same state when the event changes none of it. */
export const withShared = (state: State, event: RunEvent): State => {
  const prompts = state.prompts + (isNewPrompt(event) ? 1 : 0)
  const sessions = withExchange(state.sessions, event)
  const pricesTold = withPriceTold(state.pricesTold, event)
  const isSame = prompts === state.prompts && sessions === state.sessions && pricesTold === state.pricesTold
  return isSame ? state : { ...state, prompts, sessions, pricesTold }
}
