/**
 * Starts the process of a run, in a session of its own and, once it has started, nobody's child, so that it outlives us;
 * and waits for its handshake.
 */
import { Deferred, Effect, Exit, Option, Schema } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { Socket } from "node:net"
import { groupAddress, signal } from "../platform/ProcessGroup.ts"
import { MARKER_VARIABLE } from "../platform/ProcessMarker.ts"
import { handshakeDescriptor, HandshakeLine, type Handshake } from "./Handshake.ts"
import type { RunStoreError } from "./RunErrors.ts"
import type { RunFiles } from "./RunFiles.ts"
import { storeFaultOf } from "./StoreFault.ts"

export interface RunCommand {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute. */
  readonly directory: string
  readonly home: string
  readonly files: RunFiles
}

export type ProcessEnd =
  | { readonly _tag: "Exited"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly _tag: "NotStarted"; readonly reason: string }

export interface RunProcess {
  /** The line, or nothing when the process ended or closed the pipe without one. */
  readonly handshake: Effect.Effect<Option.Option<Handshake>>
  readonly ended: Effect.Effect<ProcessEnd>
  /** Kills the process and everything in its group; ends when it is dead. */
  readonly kill: Effect.Effect<void>
  /** Lets go of the process: nothing of it keeps this one alive any more, and no look at our descendants finds it. */
  readonly release: Effect.Effect<void>
}

/** What tells one run from another. A run that is started from inside a run must not take itself for that one. */
const ofAnotherRun = new RegExp(`^(CONDUCTOR_RUN_ID|CONDUCTOR_SELF_RUN_ID|CONDUCTOR_(WEB|BG)_.*|${MARKER_VARIABLE})$`)

const environment = (home: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofAnotherRun.test(name))),
  CONDUCTOR_HOME: home
})

/** Ends as its one child ends, holds nothing of it open, and says nothing of its own. */
const guardian = `"$@" & exec 2>/dev/null ${handshakeDescriptor}>&-; wait "$!"`

/**
 * A host may end everything that descends from its server, as Copilot CLI does with SIGTERM. So a shell stands between the
 * run and us: killing it makes the run an orphan. Until then both are one process group, whose number is the shell's.
 */
const guarded = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  process.platform === "win32" ? words : ["/bin/sh", "-c", guardian, "conductor-run", ...words]

/** The logs are opened here and handed over: what the process writes goes to the files, whoever lives. */
const spawnDetached = ({ args, command, directory, files, home }: RunCommand): ChildProcess => {
  const logs = [files.stdout, files.stderr].map((path) => openSync(path, "a", 0o600))
  const [program = command, ...words] = guarded([command, ...args])
  try {
    return spawn(program, words, {
      cwd: directory,
      env: environment(home),
      detached: true,
      stdio: ["ignore", ...logs, "pipe"],
      windowsHide: true
    })
  } finally {
    for (const log of logs) closeSync(log)
  }
}

const decodeLine = Schema.decodeOption(HandshakeLine)

const firstLine = (text: string): Option.Option<string> => {
  const end = text.indexOf("\n")
  return end === -1 ? Option.none() : Option.some(text.slice(0, end))
}

/** Deferred that callbacks of Node complete; the first completion counts. */
const complete = <A>(deferred: Deferred.Deferred<A>, value: A): void =>
  Deferred.unsafeDone(deferred, Exit.succeed(value))

const listen = (pipe: Socket, handshake: Deferred.Deferred<Option.Option<Handshake>>): void => {
  let text = ""
  pipe.setEncoding("utf8")
  pipe.on("data", (chunk: string) => {
    text += chunk
    const line = firstLine(text)
    if (Option.isSome(line)) complete(handshake, decodeLine(line.value))
  })
  pipe.on("error", () => complete(handshake, Option.none()))
  pipe.on("close", () => complete(handshake, Option.none()))
}

export const startRunProcess = Effect.fn("RunProcess.start")(function* (
  command: RunCommand
): Effect.fn.Return<RunProcess, RunStoreError> {
  const handshake = yield* Deferred.make<Option.Option<Handshake>>()
  const ended = yield* Deferred.make<ProcessEnd>()
  const child = yield* Effect.try({
    try: () => spawnDetached(command),
    catch: storeFaultOf("create", command.files.directory)
  })
  child.on("error", ({ message }) => {
    complete(handshake, Option.none())
    complete(ended, { _tag: "NotStarted", reason: message })
  })
  child.on("exit", (code, by) => complete(ended, { _tag: "Exited", code, signal: by }))
  /** A caller that hears of the run may end its host at once, so the shell has to be gone by then. */
  const orphan =
    process.platform === "win32"
      ? Effect.void
      : Effect.sync(() => child.kill("SIGKILL")).pipe(Effect.zipRight(Deferred.await(ended)), Effect.asVoid)
  const pipe = child.stdio[handshakeDescriptor]
  if (pipe instanceof Socket) listen(pipe, handshake)

  return {
    handshake: Deferred.await(handshake),
    ended: Deferred.await(ended),
    kill: Effect.sync(() => {
      if (child.pid !== undefined && child.exitCode === null) signal(groupAddress(child.pid), "SIGKILL")
    }).pipe(Effect.zipRight(Deferred.await(ended)), Effect.asVoid),
    release: Effect.zipRight(
      orphan,
      Effect.sync(() => {
        if (pipe instanceof Socket) pipe.destroy()
        child.unref()
      })
    )
  }
})
