/** How the state changes with what people are asked and what they answer: gates and interviews. */
import { openGateOf } from "../domain/Gate.ts"
import type { RunEvent, RunEventData } from "../domain/RunEvent.ts"
import { beginInterview, foldAnswer, presented, told, type Interview } from "./Interview.ts"
import { interviewResult } from "./InterviewOutput.ts"
import { routed, type Phase } from "./Phase.ts"
import { finished, withOutput, withStored, type State } from "./State.ts"

type Interviewing = Extract<Phase, { readonly _tag: "Interviewing" }>

/** What has been answered so far is the output of the step for now (workflow language §5.20). */
const withProgress = (state: State, phase: Interviewing): State => {
  const { earlier, interview, node } = phase
  const progress = interview.answers.length === 0 ? earlier : interviewResult(interview, "in_progress").output
  return { ...withStored(state, node, progress), phase }
}

/** Logs of earlier versions go on with an interview that was cut off without presenting it again. */
const interviewIn = ({ outputs, phase }: State): Interviewing | undefined => {
  if (phase._tag === "Interviewing") return phase
  if (phase._tag !== "Running" || phase.interview === undefined) return undefined
  const { interview, node } = phase
  return { _tag: "Interviewing", node, interview, earlier: outputs.get(node) }
}

const interviewed = (state: State, change: (interview: Interview) => Interview): State => {
  const phase = interviewIn(state)
  if (phase === undefined) return state
  const interview = change(phase.interview)
  const changed = { ...phase, interview }
  return interview.answers === phase.interview.answers ? { ...state, phase: changed } : withProgress(state, changed)
}

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
      const { agent_name: node } = event.data
      const kept = state.phase._tag === "Running" ? state.phase.interview : undefined
      const earlier = state.outputs.get(node)
      return withProgress(state, { _tag: "Interviewing", node, interview: beginInterview(event.data, kept), earlier })
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
