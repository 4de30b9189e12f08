/** How the state changes with what people are asked and what they answer: gates and interviews. */
import { openGateOf } from "../domain/Gate.ts"
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import { beginInterview, foldAnswer, presented, told, type Interview } from "./Interview.ts"
import { routed, type Phase } from "./Phase.ts"
import { finished, withOutput, type State } from "./State.ts"

const interviewed = (state: State, change: (interview: Interview) => Interview): State =>
  state.phase._tag === "Interviewing"
    ? { ...state, phase: { ...state.phase, interview: change(state.phase.interview) } }
    : state

const gatePresented = (state: State, data: RunEventData["gate_presented"]): State => {
  if (data.step_type === "dialog") return state
  const gate = openGateOf(data)
  return data.step_type === "questions"
    ? interviewed(state, (interview) => presented(interview, gate))
    : { ...state, phase: { _tag: "AtGate", node: gate.step, gate } }
}

/** The option that was chosen leads on at once: the routes of a gate are never looked at. */
const gateResolved = (state: State, data: RunEventData["gate_resolved"]): State => {
  const { additional_input, agent_name: node, route, selected_option: selected } = data
  if (data.step_type === "dialog") return state
  if (data.step_type === "questions") {
    return interviewed(state, (interview) => foldAnswer(interview, selected, additional_input))
  }
  return { ...withOutput(state, node, { selected, additional_input }), phase: routed(node, route) }
}

/** Events of another kind leave the state as it is. */
export const evolvePrompt = (state: State, event: RunEvent): State => {
  switch (event.type) {
    case "gate_presented":
      return gatePresented(state, event.data)
    case "gate_resolved":
      return gateResolved(state, event.data)
    case "questions_presented": {
      const phase: Phase = {
        _tag: "Interviewing",
        node: event.data.agent_name,
        interview: beginInterview(event.data)
      }
      return { ...state, phase }
    }
    case "questions_answered":
    case "questions_answer_rejected":
      return interviewed(state, told)
    case "questions_completed":
      return finished(state, event.data.agent_name, event.data.output)
    default:
      return state
  }
}
