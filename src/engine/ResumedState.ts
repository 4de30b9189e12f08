/** What a second start makes of the state of a run: it stands at what was not finished. */
import { withoutFailures } from "./GroupState.ts"
import type { Ending, Phase } from "./Phase.ts"
import type { State } from "./State.ts"

/** Whatever else ends a run between a step and its routes has nothing to do with the step. */
const failedToRoute = (ending: Ending): boolean =>
  ending._tag === "Failed" && ["ValueError", "TemplateError"].includes(ending.event.error_type)

/** A limit that stopped the run is looked at afresh. */
const resumedPhase = (phase: Phase): Phase => {
  switch (phase._tag) {
    case "Refused":
      return { _tag: "Ready", node: phase.node }
    case "Ended":
      return phase.ending._tag === "Completed" ? phase : resumedAfter(phase.before, phase.ending)
    default:
      return phase
  }
}

const resumedAfter = (before: Phase, ending: Ending): Phase => {
  // Routes over the same output would fail again, so the step gets the chance to give another one.
  if (before._tag === "Finished" && failedToRoute(ending)) return { _tag: "Ready", node: before.node }
  if (before._tag === "InGroup" && ending._tag === "Failed") {
    return { ...before, group: withoutFailures(before.group) }
  }
  return resumedPhase(before)
}

/** A sub-workflow that ended itself as failed would do so again from where it stood, so it begins anew. */
const endedItself = ({ phase }: State): boolean =>
  phase._tag === "Ended" && phase.ending._tag === "Failed" && phase.before._tag === "Terminated"

/** The sub-workflows below go on in the same way. */
export const resumed = (state: State): State => ({
  ...state,
  phase: resumedPhase(state.phase),
  children: new Map(
    [...state.children].filter(([, child]) => !endedItself(child)).map(([slot, child]) => [slot, resumed(child)])
  )
})
