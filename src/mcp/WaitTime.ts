/** How many seconds a call waits for its run. Pure: what was asked for, what the workflow prefers, and the two limits. */
import type { CatalogueEntry } from "../catalogue/CatalogueEntry.ts"

export interface WaitLimits {
  /** Seconds, from `--max-wait-seconds`; 0 = no call waits. */
  readonly server: number
  /** Seconds, from the table of hosts. */
  readonly host: number
}

const atMost = (asked: number, { server, host }: WaitLimits): number => Math.max(0, Math.min(asked, server, host))

/** The first answer of a start: left out means that the workflow's mode decides. */
export const startWait = (asked: number | undefined, mode: CatalogueEntry["mode"], limits: WaitLimits): number =>
  atMost(asked ?? (mode === "sync" ? Number.POSITIVE_INFINITY : 0), limits)

/** Fits every host (field reports 21, mcp hosts §6). */
const usualWait = 45

export const awaitWait = (asked: number | undefined, limits: WaitLimits): number => atMost(asked ?? usualWait, limits)
