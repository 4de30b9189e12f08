/**
 * Runs the members of a group side by side, at most so many at once, a new one as soon as one has ended. Each reports into
 * the journal by itself; what the reports mean for the group is the decider's to say.
 */
import { Data, Effect } from "effect"
import type { Command } from "./Command.ts"
import { failureOf, isEngineError, suggestionOf, type EngineError } from "./EngineErrors.ts"
import type { EventSinkError } from "./EventSink.ts"
import type { GroupNode } from "./GroupResult.ts"
import { membersOf, type Member } from "./Member.ts"
import { runMemberStep, type MemberReport, type MemberSetting } from "./MemberStep.ts"
import type { RunInProgress, RunWorkflow, StepServices } from "./RunInProgress.ts"
import type { State } from "./State.ts"
import { stopwatch } from "./steps/StepRun.ts"

/** Ends the other members of a `fail_fast` group; why, the journal knows. */
class GroupAborted extends Data.TaggedError("GroupAborted") {}

const reportStart = ({ run }: MemberSetting, { group, index, key }: Member) =>
  group.kind === "parallel"
    ? Effect.void
    : run.journal.append("for_each_item_started", { group_name: group.name, item_key: key, index })

const reportSuccess = ({ run }: MemberSetting, member: Member, elapsed: number, report: MemberReport) => {
  const { group, index, key, step } = member
  const { model, output, session, tokens } = report
  const told = session === undefined ? {} : { session }
  const place = { group_name: group.name, index, elapsed, model, output, ...tokens, ...told }
  return group.kind === "parallel"
    ? run.journal.append("parallel_agent_completed", { ...place, agent_name: key, agent_type: step.kind })
    : run.journal.append("for_each_item_completed", { ...place, item_key: key, ...slotOf(member) })
}

const reportFailure = ({ run }: MemberSetting, member: Member, elapsed: number, error: EngineError) => {
  const { group, index, key } = member
  const place = { group_name: group.name, index, elapsed, ...failureOf(error), suggestion: suggestionOf(error) }
  return group.kind === "parallel"
    ? run.journal.append("parallel_agent_failed", { ...place, agent_name: key })
    : run.journal.append("for_each_item_failed", { ...place, item_key: key, ...slotOf(member) })
}

const slotOf = ({ slot, step }: Member) => (step.kind === "workflow" ? { slot_key: slot } : {})

const runMember = Effect.fnUntraced(function* (setting: MemberSetting, member: Member) {
  const elapsed = yield* stopwatch
  yield* reportStart(setting, member)
  yield* runMemberStep(setting, member).pipe(
    Effect.matchEffect({
      onSuccess: (report) => Effect.flatMap(elapsed, (elapsed) => reportSuccess(setting, member, elapsed, report)),
      onFailure: (error) =>
        isEngineError(error)
          ? Effect.flatMap(elapsed, (elapsed) => reportFailure(setting, member, elapsed, error)).pipe(
              Effect.zipRight(member.group.failure_mode === "fail_fast" ? new GroupAborted() : Effect.void)
            )
          : Effect.fail(error)
    })
  )
})

const atOnce = (group: GroupNode): number => (group.kind === "parallel" ? group.members.length : group.max_concurrent)

/** All of them see the state as it was when the group started. */
export const runMembers = (
  run: RunInProgress,
  state: State,
  { members: places, node }: Extract<Command, { readonly _tag: "RunMembers" }>,
  runWorkflow: RunWorkflow
): Effect.Effect<void, EngineError | EventSinkError, StepServices> =>
  Effect.gen(function* () {
    const members = yield* membersOf(node, state)
    const setting: MemberSetting = { run, state, runWorkflow }
    const waiting = places.flatMap((place) => members[place] ?? [])
    // Shared by all workers. A fiber a member would be kept, with all that it knew, until the last of thousands has ended.
    const queue = waiting.values()
    const worker = Effect.gen(function* () {
      for (const member of queue) yield* runMember(setting, member)
    })
    yield* Effect.replicateEffect(worker, Math.min(atOnce(node), waiting.length), {
      concurrency: "unbounded",
      discard: true
    })
  }).pipe(Effect.catchTag("GroupAborted", () => Effect.void))
