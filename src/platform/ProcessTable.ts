/**
 * What Linux tells about the processes of this machine. Elsewhere the table is empty, so whoever reads it must be able
 * to do without.
 */
import { readdirSync, readFileSync } from "node:fs"

// Synchronous on purpose: a look must be short, or processes fork past it.
const readProcessFile = (pid: number, name: "cmdline" | "environ" | "stat"): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1")
  } catch {
    // Gone meanwhile, or somebody else's.
    return ""
  }
}

/** All but our own. */
export const otherProcesses = (): ReadonlyArray<number> => {
  if (process.platform !== "linux") return []
  return readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) && Number(name) !== process.pid ? [Number(name)] : []
  )
}

/** `NAME=value` entries, as they were when the program was started. Empty for a zombie and for somebody else's process. */
export const environmentOf = (pid: number): ReadonlyArray<string> => readProcessFile(pid, "environ").split("\0")

/** The words with which it was started, its own name first. Empty for a zombie. */
export const commandLineOf = (pid: number): ReadonlyArray<string> => readProcessFile(pid, "cmdline").split("\0")

interface Status {
  readonly parent: number
  readonly group: number
}

/** `undefined` for a process that is gone or only waits to be reaped. */
const statusOf = (pid: number): Status | undefined => {
  const stat = readProcessFile(pid, "stat")
  // The name of a process may hold spaces and brackets, so fields are counted from the last bracket.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (state === undefined || /^[ZXx]?$/.test(state)) return undefined
  return { parent: Number(parent), group: Number(group) }
}

/** The group of a process that runs. */
export const runningGroupOf = (pid: number): number | undefined => statusOf(pid)?.group

/** The parent of a process that runs; a process whose parent ends gets another one. */
export const parentOf = (pid: number): number | undefined => statusOf(pid)?.parent
