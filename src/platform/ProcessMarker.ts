/**
 * Finds the processes that a step left behind, even those that took a session of their own or lost their parent: each
 * child gets a variable in its environment that its own children inherit. It only looks; it never signals.
 *
 * Only Linux shows the environment of a process (of the same user). Elsewhere nothing is found, and process groups have
 * to do. A process that was started with a cleared environment is not found either.
 */
import { randomBytes } from "node:crypto"
import { environmentOf, otherProcesses } from "./ProcessTable.ts"

/** `CONDUCTOR_STEP=<run id>:<random>`. Whoever starts a process that should outlive the step leaves this variable out. */
export const MARKER_VARIABLE = "CONDUCTOR_STEP"

export const mintMarker = (runId: string): string => `${runId}:${randomBytes(8).toString("hex")}`

/** What the entry in the environment begins with, for every child of a run. */
export const runEntryPrefix = (runId: string): string => `${MARKER_VARIABLE}=${runId}:`

const findByEntry = (matches: (entry: string) => boolean): ReadonlyArray<number> =>
  otherProcesses().filter((pid) => environmentOf(pid).some(matches))

/** The living processes of one child. */
export const findMarked = (marker: string): ReadonlyArray<number> =>
  findByEntry((entry) => entry === `${MARKER_VARIABLE}=${marker}`)

/** The living processes of every child of a run. */
export const findByRun = (runId: string): ReadonlyArray<number> =>
  findByEntry((entry) => entry.startsWith(runEntryPrefix(runId)))
