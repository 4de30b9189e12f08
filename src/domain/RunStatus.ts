/** The states of a run. A state says what is known, never what is hoped: a vanished process is `lost`, not `running`. */
import { Schema } from "effect"

export const RunStatus = Schema.Literal(
  "running",
  "awaiting_gate",
  "paused",
  "completed",
  "failed",
  "cancelled",
  "lost"
)
export type RunStatus = typeof RunStatus.Type

const terminal: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled", "lost"])

/** Nothing will be appended to such a run any more, unless somebody resumes it. */
export const isTerminal = (status: RunStatus): boolean => terminal.has(status)

/** The caller has something to do: read the result, answer a gate, or resume a paused run. */
export const needsAttention = (status: RunStatus): boolean => status !== "running"
