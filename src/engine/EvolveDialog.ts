/** How the state changes with what a step and a person say to each other about the step's answer. */
import { openGateOf } from "../domain/Gate.ts"
import type { RunEvent } from "../domain/RunEvent.ts"
import { beginDialog, dialogAnswered, dialogOver, dialogPresented, dialogTold, type Dialog } from "./Dialog.ts"
import { withSpending, type State } from "./State.ts"

const conversed = (state: State, change: (dialog: Dialog) => Dialog): State =>
  state.phase._tag === "Conversing"
    ? { ...state, phase: { ...state.phase, dialog: change(state.phase.dialog) } }
    : state

/** Events of another kind leave the state as it is. */
export const evolveDialog = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "dialog_evaluated":
      return withSpending(state, event.data.cost_usd)
    case "dialog_started": {
      const { data } = event
      return { ...state, phase: { _tag: "Conversing", node: data.agent_name, dialog: beginDialog(data) } }
    }
    case "gate_presented": {
      const { data } = event
      return data.step_type === "dialog"
        ? conversed(state, (dialog) => dialogPresented(dialog, openGateOf(data)))
        : state
    }
    case "gate_resolved": {
      const { additional_input: input, selected_option: selected, step_type: type } = event.data
      return type === "dialog" ? conversed(state, (dialog) => dialogAnswered(dialog, selected, input)) : state
    }
    case "dialog_message": {
      const { data } = event
      return conversed(withSpending(state, data.cost_usd ?? null), (dialog) => dialogTold(dialog, data))
    }
    case "dialog_completed":
      return conversed(state, dialogOver)
    default:
      return state
  }
}
