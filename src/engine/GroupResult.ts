/** What a finished group stores, or why it failed as a whole (workflow language §4.2, §5.7 and §5.8). Pure. */
import { Option } from "effect"
import type { Value, ValueMap } from "../domain/Value.ts"
import type { ForEachNode, ParallelNode, PlanNode } from "../language/PlanNode.ts"
import { ExecutionError } from "./EngineErrors.ts"
import { resultsInOrder, type FailedMember, type GroupState, type MemberResult } from "./GroupState.ts"

export type GroupNode = ParallelNode | ForEachNode

export const isGroup = (node: PlanNode): node is GroupNode => node.kind === "parallel" || node.kind === "for_each"

type Succeeded = Extract<MemberResult, { readonly _tag: "Succeeded" }>

const isSucceeded = (result: MemberResult): result is Succeeded => result._tag === "Succeeded"
const isFailed = (result: MemberResult): result is FailedMember => result._tag === "Failed"

/** Of a repeated key the last one counts. */
const byKey = (results: ReadonlyArray<Succeeded>): ValueMap =>
  Object.fromEntries(results.map(({ key, output }) => [key, output]))

const errorEntry = (node: GroupNode, { failure, key }: FailedMember): ValueMap => ({
  [node.kind === "parallel" ? "agent_name" : "item_key"]: key,
  exception_type: failure.error_type,
  message: failure.message,
  suggestion: failure.suggestion
})

export interface GroupResult {
  /** What is stored under the group's name. */
  readonly output: ValueMap
  /** Entries stored, which are fewer than members when keys repeat. */
  readonly succeeded: number
  readonly failed: number
}

export const groupResult = (node: GroupNode, group: GroupState): GroupResult => {
  const results = resultsInOrder(group)
  const successes = results.filter(isSucceeded)
  const errors = Object.fromEntries(results.filter(isFailed).map((member) => [member.key, errorEntry(node, member)]))
  const isList = node.kind === "for_each" && node.key_by === undefined
  const outputs: Value = isList ? successes.map(({ output }) => output) : byKey(successes)
  return {
    output: {
      type: node.kind,
      outputs,
      errors,
      ...(node.kind === "for_each" ? { count: group.size } : {})
    },
    succeeded: Object.keys(outputs).length,
    failed: Object.keys(errors).length
  }
}

const nameOf = (node: GroupNode): string =>
  node.kind === "parallel" ? `parallel group '${node.name}'` : `for-each group '${node.name}'`

const told = ({ failure }: FailedMember): string => `${failure.error_type}: ${failure.message}`

const listed = (failures: ReadonlyArray<FailedMember>): string =>
  failures.map((member) => `\n  - ${member.key}: ${told(member)}`).join("")

const firstFailed = (node: GroupNode, member: FailedMember): ExecutionError => {
  const who = node.kind === "parallel" ? `Agent '${member.key}'` : `Item '${member.key}'`
  return new ExecutionError({ message: `${who} in ${nameOf(node)} failed (fail_fast mode): ${told(member)}` })
}

/** Why the group is lost, as far as its members have come: a `fail_fast` group at once, others when all have finished. */
export const groupFailure = (node: GroupNode, group: GroupState): Option.Option<ExecutionError> => {
  if (Option.isNone(group.firstFailure)) return Option.none()
  if (node.failure_mode === "fail_fast") return Option.some(firstFailed(node, group.firstFailure.value))
  const results = resultsInOrder(group)
  if (results.length < group.size) return Option.none()
  const failures = results.filter(isFailed)
  const succeeded = results.length - failures.length
  if (node.failure_mode === "continue_on_error") {
    if (succeeded > 0) return Option.none()
    const all = node.kind === "parallel" ? "All agents" : "All items"
    return Option.some(new ExecutionError({ message: `${all} in ${nameOf(node)} failed:${listed(failures)}` }))
  }
  const counts = `${succeeded} succeeded, ${failures.length} failed`
  const message = `The ${nameOf(node)} failed (all_or_nothing mode; ${counts}):${listed(failures)}`
  return Option.some(new ExecutionError({ message }))
}
