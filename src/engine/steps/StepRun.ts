/** What the interpreter hands to a step, and how a step reports. A step writes events only through its journal. */
import { Effect } from "effect"
import type { ValueMap } from "../../domain/Value.ts"
import type { StepNode } from "../../language/PlanNode.ts"
import type { EngineError } from "../EngineErrors.ts"
import type { EventSinkError } from "../EventSink.ts"
import { seconds, type Journal } from "../Journal.ts"

export interface StepRun<Node extends StepNode = StepNode> {
  readonly step: Node
  /** What the step's own templates see. */
  readonly context: ValueMap
  /** How often the step has run, this time included. */
  readonly execution: number
  /** Unix seconds. Present when the step is a wait that had begun before the run was cut off. */
  readonly waitingSince?: number
  readonly journal: Journal
}

/** A step that succeeds has appended its completion, with its output; one that fails has not. */
export type StepEffect<R = never, A = void> = Effect.Effect<A, EngineError | EventSinkError, R>

/** Starts now; the effect that it gives is the time since then, in seconds. */
export const stopwatch: Effect.Effect<Effect.Effect<number>> = Effect.map(seconds, (began) =>
  Effect.map(seconds, (now) => now - began)
)
