/** The members of a group, of either kind, as what runs them needs them. Pure. */
import { Either } from "effect"
import type { ValueMap } from "../domain/Value.ts"
import type { StepNode } from "../language/PlanNode.ts"
import type { ExecutionError } from "./EngineErrors.ts"
import { itemsOf, loopVariables } from "./ForEachItems.ts"
import type { GroupNode } from "./GroupResult.ts"
import type { MemberMark } from "./Journal.ts"
import type { Memory } from "./StepContext.ts"

export interface Member {
  readonly group: GroupNode
  readonly step: StepNode
  /** Place in the group, from 0. */
  readonly index: number
  /** The step's name, or the key of the item. */
  readonly key: string
  /** Names a sub-workflow among those of the workflow. */
  readonly slot: string
  /** What its templates see beside the context of the step. */
  readonly variables: ValueMap
  /** What its events carry. */
  readonly mark: MemberMark
}

/** What an item's model and sub-workflow report goes under the group's name, since all items share the step's. */
const itemMark = (group: string, step: StepNode, key: string, index: number): MemberMark => ({
  group_name: group,
  item_key: key,
  index,
  ...(step.kind === "set" || step.kind === "mcp" ? {} : { agent_name: group })
})

/** In the order of the group. Fails when the source of a for_each is no list. */
export const membersOf = (group: GroupNode, memory: Memory): Either.Either<ReadonlyArray<Member>, ExecutionError> => {
  if (group.kind === "parallel") {
    return Either.right(
      group.members.map((step, index) => {
        const mark = { group_name: group.name, index }
        return { group, step, index, key: step.name, slot: step.name, variables: {}, mark }
      })
    )
  }
  const { name, step } = group
  return Either.map(itemsOf(group, memory), (items) =>
    items.map((item) => {
      const { index, key, slot } = item
      return {
        group,
        step,
        index,
        key,
        slot,
        variables: loopVariables(group, item),
        mark: itemMark(name, step, key, index)
      }
    })
  )
}
