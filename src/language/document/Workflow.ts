/** The `workflow` section: what the workflow is called, where it starts and what holds for all of its steps. */
import { Context } from "./Context.ts"
import { Cost } from "./Cost.ts"
import { Hooks } from "./Hooks.ts"
import { InputDefinitions } from "./InputDefinition.ts"
import { closed, dictionary, optional, withDefault } from "./Keyed.ts"
import { Limits } from "./Limits.ts"
import { McpExposure } from "./McpExposure.ts"
import { defaultRuntime, Runtime } from "./Runtime.ts"
import { AnyValue, Text, Texts } from "./Scalars.ts"

export const Workflow = closed({
  name: Text,
  entry_point: Text,
  description: optional(Text),
  version: optional(Text),
  runtime: withDefault(Runtime, defaultRuntime),
  input: withDefault(InputDefinitions, {}),
  context: withDefault(Context, { mode: "accumulate" }),
  limits: withDefault(Limits, { max_iterations: 10, budget_mode: "audit" }),
  cost: withDefault(Cost, { show_per_agent: true, show_summary: true, pricing: {} }),
  hooks: optional(Hooks),
  mcp: optional(McpExposure),
  metadata: withDefault(dictionary(AnyValue), {}),
  instructions: withDefault(Texts, [])
})
export type Workflow = typeof Workflow.Type
