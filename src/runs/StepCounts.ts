/** How far a run is, in words. */
import { isTerminal } from "../domain/RunStatus.ts"
import type { RunView } from "./RunView.ts"

/**
 * With a total while that tells how much is left: a loop does more steps than the workflow has, and a run that is over
 * has left out the branches that it did not take.
 */
export const stepCounts = ({ progress, status }: Pick<RunView, "progress" | "status">): string => {
  const { stepsCompleted: done, stepsTotal: total } = progress
  if (done <= total && !isTerminal(status)) return `${done} of ${total} ${total === 1 ? "step" : "steps"} done`
  return `${done} ${done === 1 ? "step" : "steps"} done`
}
