/**
 * Finds the processes that a step left behind, even those that took a session of their own or lost their parent: each
 * child gets a variable in its environment that its own children inherit. It only looks; it never signals.
 *
 * Only Linux shows the environment of a process (of the same user). Elsewhere nothing is found, and process groups have
 * to do. A process that clears its environment is not found either.
 */
import { readdirSync, readFileSync } from "node:fs"
import { randomBytes } from "node:crypto"

/** `CONDUCTOR_STEP=<run id>:<random>`. Whoever starts a process that should outlive the step leaves this variable out. */
export const MARKER_VARIABLE = "CONDUCTOR_STEP"

export const mintMarker = (runId: string): string => `${runId}:${randomBytes(8).toString("hex")}`

/** What every marker of a run begins with. */
export const runPrefix = (runId: string): string => `${runId}:`

const readProcessFile = (pid: number, name: "environ" | "stat"): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1")
  } catch {
    // Gone meanwhile, or somebody else's.
    return ""
  }
}

const processNumbers = (): ReadonlyArray<number> => {
  if (process.platform !== "linux") return []
  return readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) && Number(name) !== process.pid ? [Number(name)] : []
  )
}

/** The name of a process may hold spaces and brackets, so fields are counted from the last bracket. */
const stateAndGroup = (pid: number): { readonly state: string; readonly group: number } => {
  const stat = readProcessFile(pid, "stat")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { state: fields[0] ?? "", group: Number(fields[2]) }
}

const findByValue = (matches: (value: string) => boolean): ReadonlyArray<number> =>
  processNumbers().filter((pid) =>
    readProcessFile(pid, "environ")
      .split("\0")
      .some((entry) => entry.startsWith(`${MARKER_VARIABLE}=`) && matches(entry.slice(MARKER_VARIABLE.length + 1)))
  )

/** The living processes of one child. Zombies have no environment, so they are never among them. */
export const findMarked = (marker: string): ReadonlyArray<number> => findByValue((value) => value === marker)

/** The living processes of every child of a run. */
export const findByRun = (runId: string): ReadonlyArray<number> =>
  findByValue((value) => value.startsWith(runPrefix(runId)))

/** Whether a process of the group runs. A zombie does not: nobody may ever reap it when process 1 of a container does not. */
export const groupRuns = (group: number): boolean => {
  try {
    process.kill(-group, 0)
  } catch {
    return false
  }
  if (process.platform !== "linux") return true
  return processNumbers().some((pid) => {
    const found = stateAndGroup(pid)
    return found.group === group && !/^[ZXx]$/.test(found.state)
  })
}
