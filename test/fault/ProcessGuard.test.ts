/** Commands must not outlive the process that runs them, however it dies. */
import { describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { readdir, readFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { identify } from "../../src/platform/ProcessIdentity.ts"
import { bundledProgram } from "../support/BundledProgram.ts"

const source = fileURLToPath(new URL("../support/ScriptRunningProgram.ts", import.meta.url))

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "process-guard-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

const startProgram = (program: string, script: string, runId: string) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [program, script, runId], { stdio: "inherit" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const exitOf = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
  })

/** Each process of the script writes a file named after its number when it is ready. */
const processesIn = (folder: string, count: number) =>
  Effect.promise(() => readdir(folder)).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (names) => names.length >= count }),
    Effect.asVoid,
    Effect.zipRight(Effect.promise(() => readdir(folder))),
    Effect.map((names) => names.map(Number))
  )

const living = (processes: ReadonlyArray<number>) =>
  Effect.filter(processes, (pid) => Effect.map(identify(pid), (identity) => identity !== undefined))

const gone = (processes: ReadonlyArray<number>) =>
  living(processes).pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: (left) => left.length === 0 }),
    Effect.timeout("8 seconds")
  )

const isGuardOf = (runId: string) => (pid: string) =>
  Effect.promise(() => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")).pipe(
    Effect.map((line) => line.includes("conductor-guard") && line.includes(runId))
  )

const guardsOf = (runId: string) =>
  Effect.promise(() => readdir("/proc")).pipe(Effect.flatMap((names) => Effect.filter(names, isGuardOf(runId))))

/** Every process ignores TERM, one has its own session, and each keeps no pipe of ours open. */
const stubborn = (folder: string): string => {
  const waiting = `trap "" TERM; : > ${folder}/$$; while :; do sleep 1; done`
  return `sh -c '${waiting}' & setsid sh -c '${waiting}' > /dev/null 2>&1 & ${waiting}`
}

describe.runIf(process.platform === "linux")("when the process that runs a script is killed", () => {
  it.scopedLive(
    "nothing of the script is alive seven seconds later, not even what ignores TERM or left the session",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const program = yield* bundledProgram(source)
        const child = yield* startProgram(program, stubborn(folder), "guard-kill")
        const processes = yield* processesIn(folder, 3)
        expect(yield* living(processes)).toHaveLength(3)
        const exited = yield* Effect.fork(exitOf(child))
        yield* Effect.yieldNow()
        child.kill("SIGKILL")
        yield* exited
        yield* gone(processes)
      })
  )

  it.scopedLive("the guard leaves too, also when all ends well", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const program = yield* bundledProgram(source)
      const child = yield* startProgram(
        program,
        `: > ${folder}/$$; while [ -e ${folder}/$$ ]; do sleep 0.1; done`,
        "guard-ends"
      )
      const exited = yield* Effect.fork(exitOf(child))
      yield* processesIn(folder, 1)
      expect(yield* guardsOf("guard-ends")).toHaveLength(1)
      for (const name of yield* Effect.promise(() => readdir(folder)))
        yield* Effect.promise(() => rm(join(folder, name)))
      yield* exited
      yield* guardsOf("guard-ends").pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (guards) => guards.length === 0 }),
        Effect.timeout("3 seconds")
      )
    })
  )
})
