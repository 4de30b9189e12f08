/**
 * Which process a number stands for. The system hands numbers out again, so a process is known by its number, the time
 * it started and the boot it belongs to; a signal may only be sent to a process that is proven to be the one meant.
 */
import { Effect, Schema } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"

export const ProcessIdentity = Schema.Struct({
  pid: Schema.Int.pipe(Schema.greaterThan(1)),
  /** In the unit of the system: clock ticks since boot on Linux, a date on macOS. Only ever compared for equality. */
  startTime: Schema.optionalWith(Schema.String, { exact: true }),
  bootId: Schema.optionalWith(Schema.String, { exact: true }),
  /** `pid`: this system tells no more than the number, so a signal would be a guess. */
  confidence: Schema.Literal("proven", "pid")
})
export type ProcessIdentity = typeof ProcessIdentity.Type

/** `unknown`: a process of that number lives, and nothing more can be found out about it. */
export type Liveness = "alive" | "gone" | "unknown"

const readText = (path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(Effect.orElseSucceed(() => undefined))

/** The name of a process may hold spaces and brackets, so fields are counted from the last bracket: state is the third. */
const linuxStat = (pid: number) =>
  Effect.map(readText(`/proc/${pid}/stat`), (text) => {
    if (text === undefined) return undefined
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { state: fields[0], startTime: fields[19] }
  })

const bootId = Effect.map(readText("/proc/sys/kernel/random/boot_id"), (text) => text?.trim())

/** `lstart` has no finer unit than a second, which is enough to tell a recycled number. */
const processStatus = (pid: number) =>
  Effect.async<{ readonly state: string; readonly startTime: string } | undefined>((resume) => {
    const child = execFile(
      "ps",
      ["-o", "stat=,lstart=", "-p", String(pid)],
      { env: { LC_ALL: "C" } },
      (error, stdout) => {
        const match = /^(\S+)\s+(\S.*?)\s*$/.exec(stdout)
        resume(
          Effect.succeed(
            error !== null || match === null ? undefined : { state: match[1] ?? "", startTime: match[2] ?? "" }
          )
        )
      }
    )
    return Effect.sync(() => child.kill())
  })

const answersSignals = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const isDead = (state: string | undefined): boolean => state !== undefined && /^[ZXx]/.test(state)

const inspect = (pid: number) => (process.platform === "linux" ? linuxStat(pid) : processStatus(pid))

/** The identity of a living process, or `undefined` when there is none of that number. */
export const identify = Effect.fn("ProcessIdentity.identify")(function* (pid: number) {
  if (!answersSignals(pid)) return undefined
  const stat = process.platform === "win32" ? undefined : yield* inspect(pid)
  if (isDead(stat?.state)) return undefined
  // One that ended between the two looks has left nothing to look at.
  if (stat === undefined && !answersSignals(pid)) return undefined
  const boot = process.platform === "linux" ? yield* bootId : undefined
  return ProcessIdentity.make({
    pid,
    ...(stat?.startTime === undefined ? {} : { startTime: stat.startTime }),
    ...(boot === undefined ? {} : { bootId: boot }),
    confidence: stat?.startTime === undefined ? "pid" : "proven"
  })
})

/** Whether the process that was identified still runs. A zombie, a recycled number and an earlier boot are `gone`. */
export const liveness = Effect.fn("ProcessIdentity.liveness")(function* (
  identity: ProcessIdentity
): Effect.fn.Return<Liveness> {
  const now = yield* identify(identity.pid)
  if (now === undefined) return "gone"
  if (identity.confidence === "pid" || now.confidence === "pid") return "unknown"
  return now.startTime === identity.startTime && now.bootId === identity.bootId ? "alive" : "gone"
})
