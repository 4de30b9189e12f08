/** How far a group has come: part of the run's state, folded from the events of its members and of nothing else. */
import { HashMap, Option } from "effect"
import type { Value } from "../domain/Value.ts"

/** What groups store of a member that failed, in the reference's words. */
export interface MemberFailure {
  readonly error_type: string
  readonly message: string
  readonly suggestion: string | null
}

/** `key` is the member's name, or the key of the item. */
export type MemberResult =
  | { readonly _tag: "Succeeded"; readonly key: string; readonly output: Value }
  | { readonly _tag: "Failed"; readonly key: string; readonly failure: MemberFailure }

export type FailedMember = Extract<MemberResult, { readonly _tag: "Failed" }>

export interface GroupState {
  /** Members or items in all. */
  readonly size: number
  /** Unix time in seconds. */
  readonly startedAt: number
  /** By the place in the group, from 0. A member that is missing here has not finished. */
  readonly results: HashMap.HashMap<number, MemberResult>
  /** The first one in time. */
  readonly firstFailure: Option.Option<FailedMember>
}

export const startedGroup = (size: number, startedAt: number): GroupState => ({
  size,
  startedAt,
  results: HashMap.empty(),
  firstFailure: Option.none()
})

export const withResult = (group: GroupState, index: number, result: MemberResult): GroupState => ({
  ...group,
  results: HashMap.set(group.results, index, result),
  firstFailure: result._tag === "Failed" ? Option.orElseSome(group.firstFailure, () => result) : group.firstFailure
})

/** The members that failed count as not finished: for a run that is resumed after the group has failed. */
export const withoutFailures = (group: GroupState): GroupState => ({
  ...group,
  results: HashMap.filter(group.results, ({ _tag }) => _tag === "Succeeded"),
  firstFailure: Option.none()
})

const places = ({ size }: GroupState): ReadonlyArray<number> => Array.from({ length: size }, (_, index) => index)

/** The places of those that have not finished, ascending. */
export const unfinished = (group: GroupState): ReadonlyArray<number> =>
  places(group).filter((index) => !HashMap.has(group.results, index))

/** In the order of the group. */
export const resultsInOrder = (group: GroupState): ReadonlyArray<MemberResult> =>
  places(group).flatMap((index) => Option.toArray(HashMap.get(group.results, index)))
