/** What a group does next: start, go on with the members that have not finished, or end. Pure, like the decider it serves. */
import { Either, Option } from "effect"
import type { Command } from "./Command.ts"
import { itemsOf } from "./ForEachItems.ts"
import { groupFailure, groupResult, type GroupNode } from "./GroupResult.ts"
import { startedGroup, unfinished, type GroupState } from "./GroupState.ts"
import type { Memory } from "./StepContext.ts"

/** Iterations that have to be left for the group to start; a for_each may overshoot (workflow language §5.3). */
export const iterationsNeeded = (node: GroupNode): number => (node.kind === "parallel" ? node.members.length : 1)

export const startGroup = (node: GroupNode, memory: Memory): Command => {
  if (node.kind === "parallel") return { _tag: "StartGroup", node, size: node.members.length }
  return Either.match(itemsOf(node, memory), {
    onLeft: (error): Command => ({ _tag: "FailStart", node, error }),
    onRight: ({ length }): Command =>
      length === 0
        ? { _tag: "SkipGroup", node, output: groupResult(node, startedGroup(0, 0)).output }
        : { _tag: "StartGroup", node, size: length }
  })
}

export const continueGroup = (node: GroupNode, group: GroupState): Command => {
  const failure = groupFailure(node, group)
  if (Option.isSome(failure)) return { _tag: "FailGroup", node, group, error: failure.value }
  const members = unfinished(group)
  return members.length > 0 ? { _tag: "RunMembers", node, members } : { _tag: "FinishGroup", node, group }
}
