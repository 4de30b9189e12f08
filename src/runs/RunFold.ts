/**
 * The fold from events to what is known of a run. Pure and incremental: a reader keeps the fold and the place in the
 * log, and advances by what is new. It must never depend on anything but the spec and the events.
 */
import { Option } from "effect"
import { openGateOf } from "../domain/Gate.ts"
import type { Usage } from "../domain/events/EventParts.ts"
import { isNested, type RunEvent } from "../domain/RunEvent.ts"
import { isSlotOf } from "../domain/SlotKey.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { RunDigest } from "./RunDigest.ts"
import type { RunSpec } from "./RunSpec.ts"
import { toldPins } from "./WorkflowPins.ts"

export interface RunFold extends RunDigest {
  readonly output?: ValueMap
}

/** A run that warns without end must not grow its view without end; the log keeps them all. */
const keptWarnings = 20

/** What a fold begins with. */
export type RunOrigin = Pick<RunSpec, "created_at" | "provenance" | "run_id" | "workflow">

export const emptyFold = ({ created_at, provenance, run_id, workflow }: RunOrigin): RunFold => ({
  spec: { created_at, provenance, run_id, workflow },
  status: "running",
  step: null,
  stepsCompleted: 0,
  stepsTotal: 0,
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: null },
  gates: [],
  warnings: []
})

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const add = (usage: Usage, data: { input_tokens: number; output_tokens: number; cost_usd: number | null }): Usage => ({
  input_tokens: usage.input_tokens + data.input_tokens,
  output_tokens: usage.output_tokens + data.output_tokens,
  cost_usd: data.cost_usd === null ? usage.cost_usd : (usage.cost_usd ?? 0) + data.cost_usd
})

export const withWarning = (fold: RunFold, warning: string): RunFold =>
  fold.warnings.includes(warning) || fold.warnings.length >= keptWarnings
    ? fold
    : { ...fold, warnings: [...fold.warnings, warning] }

/** Whether a step reports inside a group, which reports its members itself. */
const isOfMember = ({ data }: RunEvent): boolean => data.group_name !== undefined

/** What the run is at: the step or the group, below the sub-workflows on the way to it. */
const stepAt = ({ data }: RunEvent, step: string): string => [...(data.subworkflow_path ?? []), step].join("/")

const at = (fold: RunFold, event: RunEvent, step: string): RunFold => ({ ...fold, step: stepAt(event, step) })

/** A step of a sub-workflow is part of the step that runs it. */
const done = (fold: RunFold, event: RunEvent, step: string): RunFold => ({
  ...at(fold, event, step),
  stepsCompleted: fold.stepsCompleted + (isNested(event) ? 0 : 1)
})

type Gates = RunFold["gates"]

const withGates = (fold: RunFold, gates: Gates): RunFold => ({
  ...fold,
  status: gates.length === 0 ? "running" : "awaiting_gate",
  gates
})

const isBelow = (path: ReadonlyArray<string>, top: ReadonlyArray<string>): boolean =>
  top.every((slot, index) => path[index] === slot)

const isSamePath = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.length === right.length && isBelow(left, right)

/** Nothing asks for the answers any more. */
const closed = (fold: RunFold, isClosed: (gate: Gates[number]) => boolean): RunFold =>
  fold.gates.some(isClosed)
    ? withGates(
        fold,
        fold.gates.filter((gate) => !isClosed(gate))
      )
    : fold

const closeBelow = (fold: RunFold, top: ReadonlyArray<string>): RunFold =>
  closed(fold, ({ path }) => isBelow(path, top))

/** Gates are open wherever in a run they are; a question, or a turn of a dialog, is one of several prompts of its step. */
const advanceGates = (fold: RunFold, event: RunEvent): RunFold => {
  const { subworkflow_path: path = [] } = event.data
  switch (event.type) {
    case "gate_presented":
      return withGates(at(fold, event, event.data.agent_name), [...fold.gates, { path, gate: openGateOf(event.data) }])
    case "gate_resolved": {
      const { agent_name: step, prompt_id: promptId, step_type: type } = event.data
      return withGates(
        type === undefined ? done(fold, event, step) : fold,
        fold.gates.filter(({ gate }) => gate.promptId !== promptId)
      )
    }
    // A step that begins again asks again, if it still asks at all.
    case "agent_started": {
      const { agent_name: step } = event.data
      return closed(fold, (open) => open.gate.step === step && isSamePath(open.path, path))
    }
    // A sub-workflow that failed otherwise has ended the run, and asks again when that goes on.
    case "for_each_item_failed":
      return event.data.slot_key === undefined ? fold : closeBelow(fold, [...path, event.data.slot_key])
    // A group that begins anew asks anew.
    case "for_each_started": {
      const { group_name: group } = event.data
      return closed(fold, ({ path: below }) => isBelow(below, path) && isSlotOf(group, below[path.length]))
    }
    case "subworkflow_started":
      return closeBelow(fold, [...path, event.data.slot_key])
    default:
      return fold
  }
}

const advanceStep = (fold: RunFold, event: RunEvent): RunFold => {
  switch (event.type) {
    case "agent_started":
      return at(fold, event, event.data.agent_name)
    case "parallel_started":
    case "for_each_started":
      return at(fold, event, event.data.group_name)
    case "script_completed":
    case "wait_completed":
    case "questions_completed":
      return done(fold, event, event.data.agent_name)
    case "set_completed":
    case "mcp_completed":
    case "subworkflow_completed":
      return isOfMember(event) ? fold : done(fold, event, event.data.agent_name)
    case "agent_completed":
      return { ...done(fold, event, event.data.agent_name), usage: add(fold.usage, event.data) }
    case "parallel_agent_completed":
      return { ...done(fold, event, event.data.group_name), usage: add(fold.usage, event.data) }
    case "for_each_item_completed":
      return { ...at(fold, event, event.data.group_name), usage: add(fold.usage, event.data) }
    case "dialog_message": {
      const { cost_usd = null, input_tokens = 0, output_tokens = 0 } = event.data
      return { ...fold, usage: add(fold.usage, { cost_usd, input_tokens, output_tokens }) }
    }
    case "dialog_evaluated":
    case "agent_validator_complete":
    case "agent_output_discarded":
      return { ...fold, usage: add(fold.usage, event.data) }
    case "for_each_completed":
    case "for_each_skipped":
      return done(fold, event, event.data.group_name)
    case "run_warning":
      return withWarning(fold, event.data.warning)
    default:
      return fold
  }
}

const ended = (fold: RunFold, status: "completed" | "failed" | "cancelled", endedAt: string): RunFold => ({
  ...fold,
  status,
  endedAt
})

const advanceRoot = (fold: RunFold, event: RunEvent): RunFold => {
  const at = isoTime(event.timestamp)
  switch (event.type) {
    case "workflow_started": {
      // A second start is a resumed run: what ended it before no longer counts.
      const { endedAt: _endedAt, output: _output, error: _error, ...rest } = fold
      const { agents, for_each_groups, name, run_id } = event.data
      const pin = Option.match(toldPins(event), {
        onNone: () => fold.spec.workflow.pin,
        onSome: ({ workflow }) => workflow
      })
      // A fork begins with a copy of another run's log, and has not started by that.
      const own = run_id === fold.spec.run_id
      const startedAt = fold.startedAt ?? (own ? at : undefined)
      return {
        ...withGates(rest, fold.gates),
        spec: { ...fold.spec, workflow: { ...fold.spec.workflow, pin } },
        name,
        ...(startedAt === undefined ? {} : { startedAt }),
        stepsTotal: agents.length + for_each_groups.length
      }
    }
    case "workflow_completed":
      return { ...ended(fold, "completed", at), output: event.data.output }
    case "workflow_failed": {
      const { agent_name: step, error_type: type, message, output } = event.data
      const error = { type, message, step }
      return { ...ended(fold, "failed", at), error, ...(output === undefined ? {} : { output }) }
    }
    case "workflow_cancelled": {
      const { agent_name: step, reason } = event.data
      return { ...ended(fold, "cancelled", at), error: { type: "Cancelled", message: reason, step } }
    }
    default:
      return advanceStep(fold, event)
  }
}

/** The start and the end of a sub-workflow are not those of the run. */
export const advance = (fold: RunFold, event: RunEvent): RunFold => {
  const gated = advanceGates(fold, event)
  return {
    ...(isNested(event) ? advanceStep(gated, event) : advanceRoot(gated, event)),
    lastEvent: { seq: event.seq, type: event.type, at: isoTime(event.timestamp) }
  }
}

/** The log has no end: whether the run still lives, only its process can say. */
export const isOpen = ({ status }: Pick<RunFold, "status">): boolean =>
  status === "running" || status === "awaiting_gate"
