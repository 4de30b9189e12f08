import { describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Schedule } from "effect"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { identify } from "../../../src/platform/ProcessIdentity.ts"
import { findByRun } from "../../../src/platform/ProcessMarker.ts"
import { ProcessRunner, type ProcessSpec } from "../../../src/platform/ProcessRunner.ts"

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }

const run = (spec: Partial<ProcessSpec> & Pick<ProcessSpec, "command">) =>
  Effect.flatMap(ProcessRunner, (runner) => runner.run({ args: [], env, ...spec }))

const sh = (script: string, spec: Partial<ProcessSpec> = {}) => run({ command: "sh", args: ["-c", script], ...spec })

const live = ProcessRunner.layer()

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "process-runner-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

/** The text of a file as soon as it has a whole line. */
const firstLine = (file: string) =>
  Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.filterOrFail((text) => text.includes("\n")),
    Effect.retry(Schedule.spaced("10 millis")),
    Effect.map((text) => text.trim())
  )

/** A zombie that nobody has reaped yet is not alive. */
const isAlive = (pid: number) => Effect.map(identify(pid), (identity) => identity !== undefined)

describe("ProcessRunner", () => {
  it.live("gives what was printed and the exit code, which is no error", () =>
    Effect.gen(function* () {
      const result = yield* sh("echo out; echo err >&2; exit 3")
      expect(result).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 3 })
    }).pipe(Effect.provide(live))
  )

  it.live("names the signal that ended the command", () =>
    Effect.gen(function* () {
      expect(yield* sh("kill -KILL $$")).toMatchObject({ exitCode: -9, signal: "SIGKILL" })
    }).pipe(Effect.provide(live))
  )

  it.live("gives the command the environment it was given, the marker and nothing else", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run({ command: "env", env: { ...env, ONLY: "this" } })
      const names = stdout
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0])
      expect(names.sort()).toEqual(["CONDUCTOR_STEP", "ONLY", "PATH"])
    }).pipe(Effect.provide(live))
  )

  it.live("closes the input of a command that was given none", () =>
    Effect.gen(function* () {
      expect(yield* run({ command: "cat", timeout: Duration.seconds(10) })).toMatchObject({ stdout: "", exitCode: 0 })
    }).pipe(Effect.provide(live))
  )

  it.live("writes the input as UTF-8 and closes it", () =>
    Effect.gen(function* () {
      expect((yield* run({ command: "cat", stdin: "grüße 🎼" })).stdout).toBe("grüße 🎼")
    }).pipe(Effect.provide(live))
  )

  it.live("does not mind a command that exits without reading a large input", () =>
    Effect.gen(function* () {
      expect(yield* sh("exit 0", { stdin: "x".repeat(3_000_000) })).toMatchObject({ exitCode: 0 })
    }).pipe(Effect.provide(live))
  )

  it.live("refuses an input that UTF-8 cannot express", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(run({ command: "cat", stdin: "a\uD800b" }))
      expect(error).toMatchObject({ reason: "failed-to-start" })
      expect(error.message).toContain("surrogate")
    }).pipe(Effect.provide(live))
  )

  it.live("keeps 5 MB of output on both streams at once", () =>
    Effect.gen(function* () {
      const noise = "head -c 5000000 /dev/zero | tr '\\0' x"
      const result = yield* sh(`${noise} & ${noise} >&2 & wait`)
      expect([result.stdout.length, result.stderr.length]).toEqual([5_000_000, 5_000_000])
    }).pipe(Effect.provide(live))
  )

  it.live("drains what is beyond the limit, so that the command can finish", () =>
    Effect.gen(function* () {
      const result = yield* sh("head -c 1000000 /dev/zero | tr '\\0' x; exit 7", { maxOutputBytes: 10 })
      expect(result).toMatchObject({ exitCode: 7, stdout: "xxxxxxxxxx\n[output cut: 10 of 1000000 bytes kept]" })
    }).pipe(Effect.provide(live))
  )

  it.live("looks a bare name up on the PATH of the command, not on ours", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(join(folder, "own-tool"), "#!/bin/sh\necho found\n", { mode: 0o755 }))
      expect((yield* run({ command: "own-tool", env: { PATH: folder } })).stdout).toBe("found\n")
    }).pipe(Effect.scoped, Effect.provide(live))
  )

  it.live("says which command was not found and where it was looked for", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(run({ command: "no-such-tool", env: { PATH: "/nowhere" } }))
      expect(error).toMatchObject({ reason: "not-found", command: "no-such-tool" })
      expect(error.message).toBe("command not found: no-such-tool; it is not on the PATH of the command (/nowhere)")
    }).pipe(Effect.provide(live))
  )

  it.live("says that a file is not executable", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = join(folder, "plain.sh")
      yield* Effect.promise(() => writeFile(file, "echo no\n").then(() => chmod(file, 0o644)))
      const error = yield* Effect.flip(run({ command: file }))
      expect(error.reason).toBe("failed-to-start")
      expect(error.message).toContain("permission denied")
    }).pipe(Effect.scoped, Effect.provide(live))
  )

  it.live("says that the interpreter of a script is missing", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = join(folder, "script")
      yield* Effect.promise(() => writeFile(file, "#!/no/such/interpreter\n", { mode: 0o755 }))
      const error = yield* Effect.flip(run({ command: file }))
      expect(error.reason).toBe("failed-to-start")
      expect(error.message).toContain("interpreter")
    }).pipe(Effect.scoped, Effect.provide(live))
  )

  it.live("blames a missing working directory, not the command", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const error = yield* Effect.flip(run({ command: "true", cwd: join(folder, "gone") }))
      expect(error.reason).toBe("failed-to-start")
      expect(error.message).toContain("working directory does not exist")
    }).pipe(Effect.scoped, Effect.provide(live))
  )

  it.live("takes a relative command from the working directory", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => mkdir(join(folder, "bin")))
      yield* Effect.promise(() => writeFile(join(folder, "bin", "here"), "#!/bin/sh\npwd\n", { mode: 0o755 }))
      expect((yield* run({ command: "bin/here", cwd: folder })).stdout.trim()).toContain("process-runner-")
    }).pipe(Effect.scoped, Effect.provide(live))
  )

  it.live("refuses an argument that no command can take", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(run({ command: "echo", args: ["a\0b"] }))).toMatchObject({ reason: "failed-to-start" })
    }).pipe(Effect.provide(live))
  )

  it.live("says what to do with an argument that is too large", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(run({ command: "echo", args: ["x".repeat(5_000_000)] }))
      expect(error.reason).toBe("failed-to-start")
      expect(error.message).toContain("stdin")
    }).pipe(Effect.provide(live))
  )

  it.live("stops a command that is out of time, and says after how long", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(sh("sleep 60", { timeout: Duration.millis(1500) }))
      expect(error).toMatchObject({ reason: "timeout", message: "timed out after 1.5s and was stopped" })
    }).pipe(Effect.provide(live))
  )

  it.live("kills what ignores TERM, with its children and with what took a session of its own", () =>
    Effect.gen(function* () {
      const script = "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 61; sleep 61' & sleep 62; sleep 62"
      const error = yield* Effect.flip(sh(script, { timeout: Duration.millis(500), killAfter: Duration.millis(300) }))
      expect(error.reason).toBe("timeout")
      expect(findByRun("stubborn")).toEqual([])
    }).pipe(Effect.provide(ProcessRunner.layer({ runId: "stubborn" })))
  )

  it.live("leaves nothing alive when it is interrupted, and ends only then", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const script = "setsid sleep 63 & sleep 63 & echo $$ > started; wait"
      const fiber = yield* Effect.fork(sh(script, { cwd: folder }))
      const pid = Number(yield* firstLine(join(folder, "started")))
      expect(findByRun("interrupted").length).toBe(process.platform === "linux" ? 3 : 0)
      yield* Fiber.interrupt(fiber)
      expect(yield* isAlive(pid)).toBe(false)
      expect(findByRun("interrupted")).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(ProcessRunner.layer({ runId: "interrupted" })))
  )

  it.live("ends what a finished command left in its group", () =>
    Effect.gen(function* () {
      const { stdout } = yield* sh("sleep 64 > /dev/null 2>&1 & echo $!")
      expect(yield* isAlive(Number(stdout))).toBe(false)
    }).pipe(Effect.provide(live))
  )

  it.live("does not wait for ever for output that a process in its own session holds open", () =>
    Effect.gen(function* () {
      const { stdout } = yield* sh("setsid sleep 65 & echo done").pipe(Effect.timeout("15 seconds"))
      expect(stdout).toBe("done\n")
      expect(findByRun("holder")).toEqual([])
    }).pipe(Effect.provide(ProcessRunner.layer({ runId: "holder" })))
  )

  it.live("waits for a helper that still writes when the command has exited", () =>
    Effect.gen(function* () {
      expect((yield* sh("(sleep 0.2; echo late) & echo early")).stdout).toBe("early\nlate\n")
    }).pipe(Effect.provide(live))
  )

  it.live("leaves a daemon that took a session of its own and let go of the output", () =>
    Effect.gen(function* () {
      // It says who it is once it has its session, and then lets go: the command itself may be over before that.
      const { stdout } = yield* sh("setsid sh -c 'echo $$; exec sleep 66 > /dev/null 2>&1' &")
      const daemon = Number(stdout)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(daemon)))
      expect(yield* isAlive(daemon)).toBe(true)
      if (process.platform === "linux") expect(findByRun("daemon")).toEqual([daemon])
    }).pipe(Effect.scoped, Effect.provide(ProcessRunner.layer({ runId: "daemon" })))
  )

  it.effect("a scripted runner answers without starting anything", () =>
    Effect.gen(function* () {
      const seen = yield* Deferred.make<ProcessSpec>()
      const scripted = ProcessRunner.layerScripted((spec) =>
        Effect.as(Deferred.succeed(seen, spec), { stdout: "canned", stderr: "", exitCode: 0 })
      )
      const exit = yield* Effect.exit(Effect.provide(run({ command: "anything" }), scripted))
      expect(exit).toEqual(Exit.succeed({ stdout: "canned", stderr: "", exitCode: 0 }))
      expect(yield* Deferred.await(seen)).toMatchObject({ command: "anything" })
    })
  )
})
