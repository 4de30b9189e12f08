/** Events of parallel and for_each groups. */
import type { Value } from "../Value.ts"
import type { Failure, InSession, OfGroup, OfStep, Timed, Tokens } from "./EventParts.ts"

/** `item_key` is the index as text unless the group has a `key_by`; `index` counts from 0 in the source. */
interface OfItem extends OfGroup {
  readonly item_key: string
  readonly index: number
}

/** `index` is the member's place in the group. */
interface OfMember extends OfGroup, OfStep {
  readonly index: number
}

/** `suggestion` is what groups show beside the message. */
interface MemberFailure extends Failure {
  readonly suggestion: string | null
}

/** Counts of what the group stores; `output` is absent when the group failed. */
interface GroupEnd extends OfGroup, Timed {
  readonly success_count: number
  readonly failure_count: number
  readonly output?: Value
}

export interface GroupEvents {
  readonly parallel_started: OfGroup & { readonly agents: ReadonlyArray<string> }
  readonly parallel_agent_started: OfMember & { readonly working_dir: string | null }
  readonly parallel_agent_completed: OfMember &
    Timed &
    InSession &
    Tokens & { readonly agent_type: string; readonly model: string | null; readonly output: Value }
  readonly parallel_agent_failed: OfMember & Timed & MemberFailure
  readonly parallel_completed: GroupEnd
  readonly for_each_started: OfGroup & {
    readonly item_count: number
    readonly max_concurrent: number
    readonly failure_mode: string
  }
  readonly for_each_item_started: OfItem
  readonly for_each_agent_started: OfStep & OfItem & { readonly working_dir: string | null }
  /** With the slot of the item's sub-workflow, if it is one. */
  readonly for_each_item_completed: OfItem &
    Timed &
    InSession &
    Tokens & { readonly model: string | null; readonly output: Value; readonly slot_key?: string }
  readonly for_each_item_failed: OfItem & Timed & MemberFailure & { readonly slot_key?: string }
  readonly for_each_completed: GroupEnd
  /** The source was an empty list: nothing ran, and `output` is stored. The reference tells nothing at all. */
  readonly for_each_skipped: OfGroup & { readonly output: Value }
}
