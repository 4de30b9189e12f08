/** Where a run stands in its workflow. A phase says what the decider has to look at, and holds nothing that outlives it. */
import type { OpenGate } from "../domain/Gate.ts"
import type { RunEventData } from "../domain/RunEvent.ts"
import type { Value, ValueMap } from "../domain/Value.ts"
import { END } from "../language/document/Route.ts"
import type { Dialog } from "./Dialog.ts"
import type { GroupState } from "./GroupState.ts"
import type { Interview } from "./Interview.ts"

/** What a `terminate` step asked for. */
export interface Termination {
  readonly step: string
  readonly status: "success" | "failed"
  readonly reason: string
}

export type Ending =
  | { readonly _tag: "Completed"; readonly output: ValueMap }
  | { readonly _tag: "Failed"; readonly event: RunEventData["workflow_failed"] }
  | { readonly _tag: "Cancelled" }

export type Phase =
  | { readonly _tag: "NotStarted" }
  /** `node` is next, and nothing of it has happened but that room was made for it. */
  | { readonly _tag: "Ready"; readonly node: string; readonly trimmed?: true }
  /** The iteration limit was hit before `node`, and nobody has said yet whether to go on. */
  | { readonly _tag: "AtLimit"; readonly node: string }
  | { readonly _tag: "Refused"; readonly node: string }
  | { readonly _tag: "InGroup"; readonly node: string; readonly group: GroupState }
  /** A person has to answer; nothing else goes on. */
  | { readonly _tag: "AtGate"; readonly node: string; readonly gate: OpenGate }
  /** `earlier`: what the step gave when it ran before. */
  | {
      readonly _tag: "Interviewing"
      readonly node: string
      readonly interview: Interview
      readonly earlier: Value | undefined
    }
  /** A step that has its first answer and talks about it with a person. */
  | { readonly _tag: "Conversing"; readonly node: string; readonly dialog: Dialog }
  /**
   * `waitingSince`: when a wait step began to wait, in unix seconds; a wait that was cut off goes on from there.
   * `interview`: that of a `questions` step which was cut off, with the answers that it had.
   */
  | { readonly _tag: "Running"; readonly node: string; readonly waitingSince?: number; readonly interview?: Interview }
  /** `node` has its output; its routes have not been evaluated. */
  | { readonly _tag: "Finished"; readonly node: string }
  /** The route to `$end` was taken. `overrides` are the route's own output values. */
  | { readonly _tag: "Leaving"; readonly node: string; readonly overrides: ValueMap }
  | { readonly _tag: "Terminated"; readonly node: string; readonly termination: Termination }
  /** `before`: where the run stood, and goes on if it is started again. */
  | { readonly _tag: "Ended"; readonly node: string | null; readonly ending: Ending; readonly before: Phase }

/** After the way from one node to the next, or out of the workflow with a route's own output values. */
export const routed = (from: string, to: string, overrides: ValueMap = {}): Phase =>
  to === END ? { _tag: "Leaving", node: from, overrides } : { _tag: "Ready", node: to }

/** A step that is started while it runs was cut off before, and keeps what is known of its wait or its questions. */
export const running = (phase: Phase, node: string): Phase =>
  phase._tag === "Running" && phase.node === node ? phase : { _tag: "Running", node }

/** `since`: unix seconds. */
export const waiting = (phase: Phase, since: number): Phase =>
  phase._tag === "Running" ? { waitingSince: since, ...phase } : phase
