/** The built program as a person calls it, with a home of its own. */
import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { program } from "../support/Program.ts"
import { TerminalProcess } from "./TerminalProcess.ts"

export interface CliPlace {
  /** Absolute; working directory of the commands. */
  readonly folder: string
  readonly write: (name: string, text: string) => string
  /** One command from beginning to end. */
  readonly call: (...words: ReadonlyArray<string>) => {
    readonly code: number | null
    readonly stdout: string
    readonly stderr: string
  }
  /** One command that goes on. */
  readonly start: (...words: ReadonlyArray<string>) => RunningCli
  /** The same command in front of a person; `variables` are those of the environment that differ. */
  readonly terminal: (words: ReadonlyArray<string>, variables?: Readonly<Record<string, string>>) => TerminalProcess
  /** The same command in a shell, followed by `rest`, such as a pipe. */
  readonly shell: (
    words: string,
    rest: string
  ) => { readonly code: number | null; readonly stdout: string; readonly stderr: string }
  /** A run may still be writing its last line to the index; that is waited for. */
  readonly remove: () => Promise<void>
}

class RunningCli {
  stdout = ""
  stderr = ""
  readonly ended: Promise<number | NodeJS.Signals | null>

  constructor(readonly process: ChildProcessByStdio<null, Readable, Readable>) {
    process.stdout.setEncoding("utf8").on("data", (text: string) => void (this.stdout += text))
    process.stderr.setEncoding("utf8").on("data", (text: string) => void (this.stderr += text))
    this.ended = once(process, "close").then(([code, signal]) => code ?? signal)
  }

  private async nextWords(): Promise<void> {
    const heard = new AbortController()
    const next = (stream: Readable) => once(stream, "data", { signal: heard.signal }).catch(() => undefined)
    await Promise.race([next(this.process.stdout), next(this.process.stderr)])
    heard.abort()
  }

  /** Waits until the pattern is on one of the streams, and gives what its group holds. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.stdout + this.stderr)
      if (match !== null) return match[1] ?? match[0]
      if (this.process.exitCode !== null) throw new Error(`ended without ${pattern}: ${this.stdout}${this.stderr}`)
      await Promise.race([this.nextWords(), this.ended])
    }
  }
}

export const makeCliPlace = (): CliPlace => {
  const folder = mkdtempSync(join(tmpdir(), "conductor-cli-"))
  const options = {
    cwd: folder,
    env: {
      ...process.env,
      CONDUCTOR_HOME: join(folder, "home"),
      XDG_CACHE_HOME: join(folder, "cache"),
      PROGRAM: program,
      NODE: process.execPath
    }
  }
  const finished = (command: string, args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(command, args, { ...options, encoding: "utf8", maxBuffer: 64 << 20 })
    return { code: status, stdout, stderr }
  }
  return {
    folder,
    write: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    call: (...words) => finished(process.execPath, [program, ...words]),
    start: (...words) =>
      new RunningCli(spawn(process.execPath, [program, ...words], { ...options, stdio: ["ignore", "pipe", "pipe"] })),
    terminal: (words, variables = {}) =>
      new TerminalProcess([process.execPath, program, ...words], {
        cwd: folder,
        env: { ...options.env, TERM: "xterm", ...variables }
      }),
    shell: (words, rest) => finished("bash", ["-c", `"$NODE" "$PROGRAM" ${words} ${rest}`]),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
