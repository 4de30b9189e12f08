/** What is on the disk and in the process table of a run, read without any code of the product that interprets it. */
import { readdirSync, readFileSync } from "node:fs"
import { RunId } from "../../../src/domain/RunId.ts"
import { homeOf } from "../../../src/platform/HomePaths.ts"
import { findByRun } from "../../../src/platform/ProcessMarker.ts"
import { runFiles, type RunFiles } from "../../../src/runs/RunFiles.ts"

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Everything in the folder of runs, half-made and condemned folders included. */
export const runFolders = (home: string): ReadonlyArray<string> => namesIn(homeOf(home).runs)

export const filesOf = (home: string, runId: string): RunFiles => runFiles(homeOf(home).runs, RunId.make(runId))

/** The process of the run; `undefined` as long as it has not said which one it is. */
export const pidOf = (home: string, runId: string): number | undefined => {
  const text = readIfThere(filesOf(home, runId).process)
  return text === "" ? undefined : (JSON.parse(text) as { process: { pid: number } }).process.pid
}

interface LoggedEvent {
  readonly seq: number
  readonly type: string
  readonly timestamp: number
  readonly data: Readonly<Record<string, unknown>>
}

interface Log {
  readonly events: ReadonlyArray<LoggedEvent>
  /** What stands behind the last line end: a line that was being written when its writer died. */
  readonly torn: string
}

/** Throws when a complete line is no JSON. */
export const logOf = (home: string, runId: string): Log => {
  const lines = readIfThere(filesOf(home, runId).events).split("\n")
  const torn = lines.pop() ?? ""
  return { events: lines.map((line) => JSON.parse(line) as LoggedEvent), torn }
}

export const typesOf = ({ events }: Log): ReadonlyArray<string> => events.map(({ type }) => type)

/** 1, 2, 3 … up to the number of events: a log without a gap has exactly these numbers. */
export const gapless = ({ events }: Log): boolean => events.every(({ seq }, index) => seq === index + 1)

const commandLine = (pid: string): string => readIfThere(`/proc/${pid}/cmdline`).replaceAll("\0", " ")

/** Processes whose command line holds the text. */
export const processesWith = (text: string): ReadonlyArray<number> =>
  namesIn("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid) && commandLine(name).includes(text))
    .map(Number)

/** Scripts of the run, what they started, and the guard that watches over them. */
export const leftoversOf = (runId: string): ReadonlyArray<number> => [
  ...findByRun(runId),
  ...processesWith(`=${runId}:`)
]
