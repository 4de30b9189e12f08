/**
 * The outputs of runs as they may leave. Cleaning megabytes takes a second, and a large output is read in many parts, so
 * the last few are kept: what a run has once put out does not change.
 */
import type { BoundaryShape } from "../boundary/Boundary.ts"
import { isTerminal } from "../domain/RunStatus.ts"
import type { Json } from "../domain/Value.ts"
import type { RunView } from "../runs/RunView.ts"

export interface CleanOutput {
  readonly value: Json
  /** `value` as JSON text: what offsets count in. */
  readonly text: string
}

/** `undefined` when the run has no output yet. */
export type OutputCleaner = (view: RunView) => CleanOutput | undefined

const kept = 4

export const makeOutputCleaner = ({ value }: BoundaryShape): OutputCleaner => {
  const cache = new Map<string, CleanOutput>()
  return ({ runId, status, output, lastEvent }) => {
    if (output === undefined || !isTerminal(status)) return undefined
    const key = `${runId} ${lastEvent?.seq}`
    const known = cache.get(key)
    cache.delete(key)
    const clean = known ?? cleanOutput(value(output))
    cache.set(key, clean)
    for (const oldest of cache.keys()) if (cache.size > kept) cache.delete(oldest)
    return clean
  }
}

const cleanOutput = (value: Json): CleanOutput => ({ value, text: JSON.stringify(value) })
