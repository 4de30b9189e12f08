/**
 * Sees to it that no command outlives this process, however it dies: a small `sh` in a session of its own holds the
 * numbers of the process groups that run, and notices through the end of its input that we are gone. It must not do
 * anything as long as we live. Without `sh` (Windows) there is no guard.
 */
import { Effect, type Scope } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { Socket } from "node:net"
import { runEntryPrefix } from "./ProcessMarker.ts"

export interface ProcessGuard {
  /** Starts the guard when it does not run. Before the first command, so that there is no moment without it. */
  readonly watch: Effect.Effect<void>
  readonly add: (group: number) => Effect.Effect<void>
  readonly remove: (group: number) => Effect.Effect<void>
}

/**
 * Lines of input: `+<group>`, `-<group>`, `end` (all is well, leave). `$1` is what stands before the random part of this
 * run's markers in an environment; `grep` without that folder (macOS) finds nothing, and the groups have to do.
 */
const SCRIPT = `
trap '' TERM HUP INT
groups=' '
while read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) groups="\${groups%% \${line#-} *} \${groups#* \${line#-} }" ;;
    end) exit 0 ;;
  esac
done
marked() { grep -lsF "$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done; }
targets() { for group in $groups; do echo "-$group"; done; marked "$1"; }
strike() { any=1; for target in $(targets "$2"); do kill -s "$1" -- "$target" 2>/dev/null && any=0; done; return $any; }
strike TERM "$1" || exit 0
for second in 1 2 3 4 5; do sleep 1; strike 0 "$1" || exit 0; done
strike KILL "$1"
strike KILL "$1"
`

const start = (runId: string): ChildProcess => {
  const guard = spawn("sh", ["-c", SCRIPT, "conductor-guard", runEntryPrefix(runId)], {
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"]
  })
  // Neither a missing `sh` nor a guard that was killed is a reason to fail a step.
  guard.on("error", () => {})
  guard.stdin?.on("error", () => {})
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return guard
}

const unguarded: ProcessGuard = { watch: Effect.void, add: () => Effect.void, remove: () => Effect.void }

/** The guard of one run process; it leaves with the scope. */
export const makeProcessGuard = (runId: string): Effect.Effect<ProcessGuard, never, Scope.Scope> => {
  if (process.platform === "win32") return Effect.succeed(unguarded)
  const groups = new Set<number>()
  let guard: ChildProcess | undefined
  const say = (line: string) => guard?.stdin?.write(`${line}\n`)
  const watch = Effect.sync(() => {
    if (guard !== undefined && guard.exitCode === null && guard.signalCode === null) return
    guard = start(runId)
    for (const group of groups) say(`+${group}`)
  })
  const leave = Effect.sync(() => guard?.stdin?.end("end\n"))
  const shape: ProcessGuard = {
    watch,
    add: (group) =>
      Effect.sync(() => {
        groups.add(group)
        say(`+${group}`)
      }),
    remove: (group) =>
      Effect.sync(() => {
        if (groups.delete(group)) say(`-${group}`)
      })
  }
  return Effect.as(
    Effect.addFinalizer(() => leave),
    shape
  )
}
