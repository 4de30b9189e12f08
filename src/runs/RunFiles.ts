/** The names inside a run folder. Names only: nothing here touches a disk. */
import { join, sep } from "node:path"
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
  // Lists name the files of many runs, and `join` looks at every character of what is in order already.
  const inside = (name: string): string => directory + sep + name
  return {
    directory,
    spec: inside("run.json"),
    process: inside("process.json"),
    events: inside("events.jsonl"),
    control: inside("control.jsonl"),
    stdout: inside("stdout.log"),
    stderr: inside("stderr.log"),
    workflow: inside("workflow"),
    spill: inside("spill")
  }
}
