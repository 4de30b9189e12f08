/** What the decider wants done next. A command is data: the interpreter carries it out and reports by events. */
import type { OpenGate } from "../domain/Gate.ts"
import type { ValueMap } from "../domain/Value.ts"
import type { AgentNode, QuestionsNode } from "../language/PlanNode.ts"
import type { Trim } from "./ContextTrim.ts"
import type { Dialog, DialogMove } from "./Dialog.ts"
import type { GroupNode } from "./GroupResult.ts"
import type { EngineError } from "./EngineErrors.ts"
import type { GroupState } from "./GroupState.ts"
import type { Interview, Move } from "./Interview.ts"
import type { Termination } from "./Phase.ts"

export type Command =
  | { readonly _tag: "RunStep"; readonly node: string }
  | { readonly _tag: "TrimContext"; readonly trim: Trim }
  | { readonly _tag: "StartGroup"; readonly node: GroupNode; readonly size: number }
  /** The group has nothing to run. */
  | { readonly _tag: "SkipGroup"; readonly node: GroupNode; readonly output: ValueMap }
  /** `members` are places in the group, to be started in this order. */
  | { readonly _tag: "RunMembers"; readonly node: GroupNode; readonly members: ReadonlyArray<number> }
  | { readonly _tag: "FinishGroup"; readonly node: GroupNode; readonly group: GroupState }
  | { readonly _tag: "FailGroup"; readonly node: GroupNode; readonly group: GroupState; readonly error: EngineError }
  | { readonly _tag: "ReportBudget"; readonly node: string; readonly spent: number }
  | { readonly _tag: "ResolveGate"; readonly gate: OpenGate }
  | {
      readonly _tag: "Interview"
      readonly node: QuestionsNode
      readonly interview: Interview
      readonly move: Move
    }
  | { readonly _tag: "Converse"; readonly node: AgentNode; readonly dialog: Dialog; readonly move: DialogMove }
  | { readonly _tag: "ReportLimit"; readonly node: string }
  | { readonly _tag: "AskForIterations"; readonly node: string }
  /** `output` is present on a route that ends the run with values of its own. */
  | { readonly _tag: "TakeRoute"; readonly from: string; readonly to: string; readonly output?: ValueMap }
  | { readonly _tag: "Complete"; readonly output: ValueMap; readonly termination?: Termination }
  | { readonly _tag: "Fail"; readonly error: EngineError }
  /** A group whose members cannot be told has failed before it started. */
  | { readonly _tag: "FailStart"; readonly node: GroupNode; readonly error: EngineError }
