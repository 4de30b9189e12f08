/** Events of a workflow as a whole: its life, its way through the nodes, and what holds for all of it. */
import type { ValueMap } from "../Value.ts"
import type { Failure, OfGroup, OfStep, Termination, Timed } from "./EventParts.ts"

interface OfSubWorkflow extends OfStep {
  readonly iteration: number
  readonly parent_path: ReadonlyArray<string>
  /** What the events of the sub-workflow carry as the last entry of their path. */
  readonly slot_key: string
}

export interface WorkflowEvents {
  readonly workflow_started: {
    readonly name: string
    readonly version: string
    /** Empty in a sub-workflow, as `log_file` is. */
    readonly run_id: string
    readonly log_file: string
    readonly entry_point: string
    readonly agents: ReadonlyArray<ValueMap>
    readonly parallel_groups: ReadonlyArray<ValueMap>
    readonly for_each_groups: ReadonlyArray<ValueMap>
    readonly routes: ReadonlyArray<ValueMap>
    /** By name. */
    readonly providers: ValueMap
    /** The workflow file as it was read; only of a root that came from one. */
    readonly yaml_source?: string
    readonly metadata: ValueMap
    readonly inputs: ValueMap
    readonly system: ValueMap
    /** The limit that holds from here on. */
    readonly max_iterations: number
    /** Of a run that goes on: a group that it stands in begins anew, members that have finished included. */
    readonly groups?: "restart"
  }
  readonly workflow_completed: Timed & { readonly output: ValueMap } & Partial<Termination>
  readonly workflow_failed: Failure & {
    readonly elapsed: number
    readonly agent_name: string | null
    readonly output?: ValueMap
    readonly elapsed_seconds?: number
    readonly timeout_seconds?: number
    readonly current_agent?: string
    readonly budget_usd?: number
    readonly spent_usd?: number
  } & Partial<Termination>
  readonly workflow_cancelled: Timed & { readonly reason: string; readonly agent_name: string | null }
  readonly subworkflow_started: OfSubWorkflow & { readonly workflow: string }
  readonly subworkflow_completed: OfSubWorkflow & Timed & { readonly output: ValueMap }
  readonly subworkflow_failed: OfSubWorkflow & Timed & Failure
  readonly route_taken: {
    readonly from_agent: string
    readonly to_agent: string
    /** The route's own output values, when it ends the run. */
    readonly output?: ValueMap
  }
  /** A parallel group is named with the number of its members, all of which have to fit into the limit. */
  readonly iteration_limit_reached: (OfStep | (OfGroup & { readonly agent_count: number })) & {
    readonly current_iteration: number
    readonly max_iterations: number
    readonly agent_history: ReadonlyArray<string>
    readonly possible_loop: boolean
    readonly skip_gates: boolean
  }
  readonly guidance_applied: {
    readonly text: string
    readonly source: "interrupt" | "dashboard" | "cli"
    readonly agent_name: string
  }
  /** Outputs that were dropped, and what others became, to keep within `context.max_tokens`. Ours: resume needs it. */
  readonly context_trimmed: {
    readonly strategy: string
    readonly dropped: ReadonlyArray<string>
    readonly outputs: ValueMap
  }
  readonly budget_exceeded: {
    readonly budget_usd: number
    readonly spent_usd: number
    readonly budget_mode: "audit" | "enforce"
    readonly current_agent: string
  }
  readonly iteration_limit_resolved: (OfStep | OfGroup) & {
    readonly continue_execution: boolean
    readonly additional_iterations: number
    readonly aborted: boolean
  }
  /** Something went wrong beside the run and did not stop it: a full disk, a locked index. Said out loud here. */
  readonly run_warning: {
    readonly warning: string
    /** The model whose price it is about; one warning a model is enough. */
    readonly priced_model?: string
  }
}
