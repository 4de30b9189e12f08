/** How the process of a run that goes on is told what to make of its past: by words behind the run's folder. */
import type { ResumeOptions } from "./RunResumption.ts"

const acceptChange = "--accept-change"
const restartGroups = "--restart-groups"

export const resumeFlags = (options: ResumeOptions): ReadonlyArray<string> => [
  ...(options.acceptChange ? [acceptChange] : []),
  ...(options.groups === "restart" ? [restartGroups] : [])
]

export const resumeOptions = (flags: ReadonlyArray<string>): ResumeOptions => ({
  acceptChange: flags.includes(acceptChange),
  groups: flags.includes(restartGroups) ? "restart" : "continue"
})
