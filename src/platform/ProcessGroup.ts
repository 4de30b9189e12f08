/** A process group as one thing to signal. On Windows, which has none, the leading process stands for it. */
import { otherProcesses, runningGroupOf } from "./ProcessTable.ts"

/** The number under which `kill` knows the group. */
export const groupAddress = (group: number): number => (process.platform === "win32" ? group : -group)

/** False: it is gone, or it is not ours to signal. Signal 0 only asks. */
export const signal = (address: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(address, name)
  } catch {
    return false
  }
}

/**
 * Whether a process of the group runs. Where the system tells, zombies do not count: in a container whose first process
 * reaps nobody they stay for ever.
 */
export const groupRuns = (group: number): boolean => {
  if (!signal(groupAddress(group), 0)) return false
  return process.platform !== "linux" || otherProcesses().some((pid) => runningGroupOf(pid) === group)
}
