/** What a group tells of itself: that it starts, that it has nothing to do, and how it ended (run files and events §2.2). */
import { Clock, Effect } from "effect"
import type { Command } from "./Command.ts"
import type { EngineError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import { groupResult, type GroupNode } from "./GroupResult.ts"
import type { GroupState } from "./GroupState.ts"
import type { Journal } from "./Journal.ts"
import { tellFailure } from "./StepFailure.ts"

type Told = Effect.Effect<void, EventSinkError>
type Of<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

export const startGroup = ({ append }: Journal, { node, size }: Of<"StartGroup">): Told =>
  node.kind === "parallel"
    ? append("parallel_started", { group_name: node.name, agents: node.members.map(({ name }) => name) })
    : append("for_each_started", {
        group_name: node.name,
        item_count: size,
        max_concurrent: node.max_concurrent,
        failure_mode: node.failure_mode
      })

export const skipGroup = ({ append }: Journal, { node, output }: Of<"SkipGroup">): Told =>
  append("for_each_skipped", { group_name: node.name, output })

const countsOf = (node: GroupNode, group: GroupState) => {
  const { failed, succeeded } = groupResult(node, group)
  return { group_name: node.name, success_count: succeeded, failure_count: failed }
}

/** Seconds, by the clock that the start was written with, since the start may be another process's. */
const elapsedSince = ({ startedAt }: GroupState): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => Math.max(0, now / 1000 - startedAt))

const ended = ({ kind }: GroupNode) => (kind === "parallel" ? "parallel_completed" : "for_each_completed")

export const finishGroup = (journal: Journal, { group, node }: Of<"FinishGroup">): Told =>
  Effect.flatMap(elapsedSince(group), (elapsed) =>
    journal.append(ended(node), { ...countsOf(node, group), elapsed, output: groupResult(node, group).output })
  )

/** A for_each that gives up before its end does not say that it completed. */
export const failGroup = (
  journal: Journal,
  { error, group, node }: Of<"FailGroup">
): Effect.Effect<never, EngineError | EventSinkError> =>
  Effect.gen(function* () {
    const elapsed = yield* elapsedSince(group)
    if (node.kind === "parallel" || node.failure_mode !== "fail_fast") {
      yield* journal.append(ended(node), { ...countsOf(node, group), elapsed })
    }
    yield* tellFailure(journal, node, { error, elapsed })
    return yield* error
  })
