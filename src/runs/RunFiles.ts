/** The names inside a run folder. Names only: nothing here touches a disk. */
import { join } from "node:path"
import type { RunId } from "../domain/RunId.ts"

/** Absolute paths of one run. */
export interface RunFiles {
  readonly directory: string
  readonly spec: string
  readonly process: string
  readonly events: string
  readonly control: string
  readonly stdout: string
  readonly stderr: string
  /** Folder of the pinned copy. */
  readonly workflow: string
  /** Folder of tool outputs that were too long for a model. */
  readonly spill: string
}

/** `runs`: the folder that holds the run folders, absolute. */
export const runFiles = (runs: string, runId: RunId): RunFiles => {
  const directory = join(runs, runId)
  return {
    directory,
    spec: join(directory, "run.json"),
    process: join(directory, "process.json"),
    events: join(directory, "events.jsonl"),
    control: join(directory, "control.jsonl"),
    stdout: join(directory, "stdout.log"),
    stderr: join(directory, "stderr.log"),
    workflow: join(directory, "workflow"),
    spill: join(directory, "spill")
  }
}
