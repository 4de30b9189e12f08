/**
 * The nodes of a plan: steps and groups as one union by `kind`, each with exactly the fields that its kind has, defaults
 * filled in. Fields keep the names of the file format.
 */
import type { GateOption } from "./document/Gate.ts"
import type { OutputFields } from "./document/OutputField.ts"
import type { Plugin } from "./document/Plugins.ts"
import type { Question } from "./document/Questions.ts"
import type { Retry } from "./document/Retry.ts"
import type { Route } from "./document/Route.ts"
import type { Step } from "./document/Step.ts"
import type { Validator } from "./document/Validator.ts"
import type { FailureMode, ProviderName } from "./document/Vocabulary.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { Place } from "./Problem.ts"

interface Node {
  readonly name: string
  readonly description?: string
  readonly routes: ReadonlyArray<Route>
  /** Where the document declares it. */
  readonly place: Place
}

interface StepBase extends Node {
  /** References of `input:`, as written. */
  readonly input: ReadonlyArray<string>
}

/** A template, with the file it came from when it may include others from beside that file. */
export interface PromptTemplate {
  readonly template: string
  readonly origin?: string
}

export interface AgentNode extends StepBase {
  readonly kind: "agent"
  readonly prompt: PromptTemplate
  readonly system_prompt?: PromptTemplate
  /** The runtime's provider when absent. */
  readonly provider?: ProviderName
  readonly model?: string
  /** Absent means all tools of the workflow, empty means none. */
  readonly tools?: ReadonlyArray<string>
  readonly output?: OutputFields
  readonly output_mode?: "raw" | "envelope"
  readonly working_dir?: string
  /** Seconds. */
  readonly timeout_seconds?: number
  readonly max_session_seconds?: number
  readonly max_agent_iterations?: number
  readonly session_key?: string
  readonly retry?: Retry
  readonly dialog?: { readonly trigger_prompt: string }
  readonly reasoning?: { readonly effort: string }
  readonly context_tier?: string
  readonly validator?: Validator
  readonly sandbox?: NonNullable<Step["sandbox"]>
  /** Absent means the runtime's. */
  readonly skills?: ReadonlyArray<string>
  readonly plugins?: ReadonlyArray<Plugin>
}

export interface HumanGateNode extends StepBase {
  readonly kind: "human_gate"
  readonly prompt: PromptTemplate
  /** At least one. */
  readonly options: ReadonlyArray<GateOption>
}

export interface QuestionsNode extends StepBase {
  readonly kind: "questions"
  readonly prompt: PromptTemplate
  readonly questions:
    | { readonly _tag: "Inline"; readonly items: ReadonlyArray<Question> }
    | { readonly _tag: "Source"; readonly source: string }
  readonly allow_back: boolean
  readonly allow_skip: boolean
  readonly allow_skip_all: boolean
  readonly allow_abort: boolean
  readonly abort_route: string
}

export interface ScriptNode extends StepBase {
  readonly kind: "script"
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly working_dir?: string
  readonly stdin?: string
  /** Seconds. */
  readonly timeout?: number
  /** Empty means: standard output has to be a JSON object. */
  readonly output?: OutputFields
}

export type SetOutputType = NonNullable<Step["output_type"]>

export interface SetNode extends StepBase {
  readonly kind: "set"
  readonly binding:
    | { readonly _tag: "Single"; readonly value: string; readonly output_type: SetOutputType }
    | { readonly _tag: "Several"; readonly values: Readonly<Record<string, string>> }
  readonly output?: OutputFields
}

export interface WaitNode extends StepBase {
  readonly kind: "wait"
  /** Seconds, or text that may be a template. */
  readonly duration: string | number
  readonly reason?: string
}

export interface TerminateNode extends StepBase {
  readonly kind: "terminate"
  readonly status: "success" | "failed"
  readonly reason: string
  readonly output_template?: Readonly<Record<string, string>>
}

export interface SubWorkflowNode extends StepBase {
  readonly kind: "workflow"
  /** A path relative to the workflow's file, or a registry reference; never a template. */
  readonly workflow: string
  /** Absent forwards the parent's inputs, empty forwards nothing. */
  readonly input_mapping?: Readonly<Record<string, string>>
  readonly max_depth?: number
}

/** One call of one tool of an MCP server, without a model. Ours; the reference has no such step. */
export interface McpNode extends StepBase {
  readonly kind: "mcp"
  /** A key of `runtime.mcp_servers`. */
  readonly server: string
  /** As the server calls it. */
  readonly tool: string
  /** Every text in it, at any depth, is a template. */
  readonly arguments: ValueMap
  /** Of a stdio server. */
  readonly working_dir?: string
  /** Seconds, for the start of the server and the call together. */
  readonly timeout_seconds?: number
  /** The shape that the result must have; it is then the output itself. */
  readonly output?: OutputFields
}

export type StepNode =
  | AgentNode
  | HumanGateNode
  | QuestionsNode
  | ScriptNode
  | SetNode
  | WaitNode
  | TerminateNode
  | SubWorkflowNode
  | McpNode

export interface ParallelNode extends Node {
  readonly kind: "parallel"
  readonly members: ReadonlyArray<StepNode>
  readonly failure_mode: FailureMode
}

export interface ForEachNode extends Node {
  readonly kind: "for_each"
  readonly source: string
  readonly as: string
  readonly step: StepNode
  readonly max_concurrent: number
  readonly failure_mode: FailureMode
  readonly key_by?: string
}

export type PlanNode = StepNode | ParallelNode | ForEachNode
