/** What a second start makes of the state of a run: it stands at what was not finished. */
import { withoutFailures } from "./GroupState.ts"
import { suspended } from "./Interview.ts"
import type { Ending, Phase } from "./Phase.ts"
import { withStored, type State } from "./State.ts"

/** A group that was cut off goes on with the members that have not finished, or begins anew with all of them. */
export type ResumedGroups = "continue" | "restart"

/** Whatever else ends a run between a step and its routes has nothing to do with the step. */
const failedToRoute = (ending: Ending): boolean =>
  ending._tag === "Failed" && ["ValueError", "TemplateError"].includes(ending.event.error_type)

type InGroup = Extract<Phase, { readonly _tag: "InGroup" }>

const resumedGroup = (phase: InGroup, groups: ResumedGroups): Phase =>
  groups === "restart" ? { _tag: "Ready", node: phase.node } : phase

/** A limit that stopped the run is looked at afresh. */
const resumedPhase = (phase: Phase, groups: ResumedGroups): Phase => {
  switch (phase._tag) {
    case "Refused":
      return { _tag: "Ready", node: phase.node }
    case "Interviewing":
      return { _tag: "Running", node: phase.node, interview: suspended(phase.interview) }
    case "InGroup":
      return resumedGroup(phase, groups)
    case "Ended":
      return phase.ending._tag === "Completed" ? phase : resumedAfter(phase.before, phase.ending, groups)
    default:
      return phase
  }
}

const resumedAfter = (before: Phase, ending: Ending, groups: ResumedGroups): Phase => {
  // Routes over the same output would fail again, so the step gets the chance to give another one.
  if (before._tag === "Finished" && failedToRoute(ending)) return { _tag: "Ready", node: before.node }
  if (before._tag === "InGroup" && ending._tag === "Failed") {
    return resumedGroup({ ...before, group: withoutFailures(before.group) }, groups)
  }
  return resumedPhase(before, groups)
}

/** A sub-workflow that ended itself as failed would do so again from where it stood, so it begins anew. */
const endedItself = ({ phase }: State): boolean =>
  phase._tag === "Ended" && phase.ending._tag === "Failed" && phase.before._tag === "Terminated"

const stoodAt = ({ phase }: State): Phase => (phase._tag === "Ended" ? phase.before : phase)

/** Questions are rendered again as they were: their step has given nothing yet. */
const withoutProgress = (state: State): State => {
  const before = stoodAt(state)
  return before._tag === "Interviewing" ? withStored(state, before.node, before.earlier) : state
}

/** Those of a group that begins anew do the same. */
const goesOn = (state: State, groups: ResumedGroups): ((child: State) => boolean) =>
  groups === "restart" && stoodAt(state)._tag === "InGroup" ? () => false : (child) => !endedItself(child)

const spentBelow = ({ children, spent }: State): number =>
  [...children.values()].reduce((sum, child) => sum + spentBelow(child), spent)

/** The sub-workflows below go on in the same way. What those have spent that begin anew is spent. */
export const resumed = (state: State, groups: ResumedGroups): State => {
  const isKept = goesOn(state, groups)
  const children = [...state.children]
  const dropped = children.filter(([, child]) => !isKept(child))
  return {
    ...withoutProgress(state),
    phase: resumedPhase(state.phase, groups),
    spent: dropped.reduce((sum, [, child]) => sum + spentBelow(child), state.spent),
    children: new Map(
      children.filter(([, child]) => isKept(child)).map(([slot, child]) => [slot, resumed(child, groups)])
    )
  }
}
