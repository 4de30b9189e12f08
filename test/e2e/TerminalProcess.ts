/** A command in a pseudo-terminal, in front of a person who types. */
import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process"
import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

const bridge = fileURLToPath(new URL("../support/terminal.py", import.meta.url))

/** Python has pseudo-terminals in its standard library; Node has none. */
export const hasTerminals = spawnSync("python3", ["-c", "import pty, fcntl, termios"]).status === 0

export class TerminalProcess {
  /** All that was written to the terminal. */
  output = ""
  /** What the last `shows` has not looked at. */
  private unseen = ""
  readonly ended: Promise<number | null>
  private readonly process: ChildProcessByStdio<Writable, Readable, null>

  constructor(
    command: ReadonlyArray<string>,
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }
  ) {
    this.process = spawn("python3", [bridge, ...command], { ...options, stdio: ["pipe", "pipe", "inherit"] })
    this.process.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.output += text
      this.unseen += text
    })
    this.ended = once(this.process, "close").then(([code]) => code)
  }

  /** Waits until the pattern is shown after what was waited for before, and gives what its group holds. */
  async shows(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.unseen)
      if (match !== null) {
        this.unseen = this.unseen.slice(match.index + match[0].length)
        return match[1] ?? match[0]
      }
      if (this.process.exitCode !== null) throw new Error(`ended without ${pattern}: ${this.output}`)
      await Promise.race([once(this.process.stdout, "data"), this.ended])
    }
  }

  type(keys: string): void {
    this.process.stdin.write(`${JSON.stringify({ keys })}\n`)
  }

  resize(columns: number): void {
    this.process.stdin.write(`${JSON.stringify({ columns })}\n`)
  }
}
