/** The closed word lists that several parts of the file format share. */
import { Schema } from "effect"

const STEP_TYPES = [
  "agent",
  "human_gate",
  "questions",
  "script",
  "set",
  "wait",
  "terminate",
  "workflow",
  "mcp"
] as const
export type StepType = (typeof STEP_TYPES)[number]
export const StepType = Schema.Literal(...STEP_TYPES)

export const ProviderName = Schema.Literal("copilot", "openai", "claude", "claude-agent-sdk", "hermes", "aca")
export type ProviderName = typeof ProviderName.Type

export const REASONING_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const
export const ReasoningEffort = Schema.Literal(...REASONING_EFFORTS)

export const CONTEXT_TIERS = ["default", "long_context"] as const
export const ContextTier = Schema.Literal(...CONTEXT_TIERS)

export const FailureMode = Schema.Literal("fail_fast", "continue_on_error", "all_or_nothing")
export type FailureMode = typeof FailureMode.Type

export const IdentifierScope = Schema.Literal("workflow", "agent", "item", "none")

export const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Text that is evaluated when the step runs, and so cannot be checked before. */
export const isTemplate = (text: string): boolean => text.includes("{{") || text.includes("{%")
