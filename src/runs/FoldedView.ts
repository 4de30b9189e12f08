/** The view of a run from what its log has told and what is known of its process. */
import { isOpen, type RunFold } from "./RunFold.ts"
import type { RunError, RunView } from "./RunView.ts"

/** What is known of the process of a run whose log has no end yet. */
export type Custody =
  | { readonly _tag: "Held"; readonly pid?: number; readonly warning?: string }
  | { readonly _tag: "Lost"; readonly reason: string }

const lostError = (fold: RunFold, reason: string): RunError => {
  const last = fold.lastEvent
  const trace =
    last === undefined ? "It wrote no event" : `Its last event is ${last.type} (number ${last.seq}, ${last.at})`
  return {
    type: "Lost",
    message: `${reason} ${trace}. Look at its stderr log for the cause, then go on with 'conductor resume ${fold.spec.run_id}': steps that finished are not repeated, the one that was cut off runs again.`,
    step: fold.step
  }
}

export const toView = (fold: RunFold, custody: Custody, files: RunView["files"]): RunView => {
  const { spec } = fold
  const lost = isOpen(fold) && custody._tag === "Lost" ? custody : undefined
  const held = isOpen(fold) && custody._tag === "Held" ? custody : undefined
  const error = lost === undefined ? fold.error : lostError(fold, lost.reason)
  const gate = fold.status === "awaiting_gate" && lost === undefined ? fold.gates[0]?.gate : undefined
  const endedAt = lost === undefined ? fold.endedAt : (fold.lastEvent?.at ?? spec.created_at)
  return {
    runId: spec.run_id,
    status: lost === undefined ? fold.status : "lost",
    workflow: fold.name === undefined ? spec.workflow : { ...spec.workflow, name: fold.name },
    provenance: spec.provenance,
    startedAt: fold.startedAt ?? spec.created_at,
    ...(endedAt === undefined ? {} : { endedAt }),
    progress: {
      step: fold.step,
      stepsCompleted: fold.stepsCompleted,
      stepsTotal: fold.stepsTotal,
      usage: fold.usage
    },
    ...(gate === undefined ? {} : { gate }),
    ...(fold.output === undefined ? {} : { output: fold.output }),
    ...(error === undefined ? {} : { error }),
    ...(fold.lastEvent === undefined ? {} : { lastEvent: fold.lastEvent }),
    ...(held?.pid === undefined ? {} : { pid: held.pid }),
    warnings: held?.warning === undefined ? fold.warnings : [...fold.warnings, held.warning],
    files
  }
}
